/** The parts of endpoints at which clients authenticate. */
import type { Authentication } from '../../clients/authenticate.ts'
import type { ServiceParts } from '../../registries.ts'

export type ClientNeeds = ServiceParts & Authentication
