/** The pages of rooms that are not opened yet: their endpoints take the parts with each visit. */
import type { Answer } from '../http/answer.ts'
import type { ServiceParts } from '../registries.ts'
import type { Endpoint } from '../route.ts'
import { openPages } from './pages.ts'
import type { Visit } from './visit.ts'

export type PageEndpoint<Made extends Visit> = (
  visit: Made,
  parts: ServiceParts,
) => Promise<Answer> | Answer

export const forVisitor =
  (endpoint: PageEndpoint<Visit>): Endpoint =>
  (exchange, parts) =>
    openPages(parts).forVisitor((visit) => endpoint(visit, parts))(exchange)
