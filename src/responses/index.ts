/** The response types of the service; a further one is one file and one line. */
import { code } from './code.ts'
import { combinedTypes } from './combined.ts'
import { idToken } from './id-token.ts'
import type { ResponseType } from './response.ts'
import { token } from './token.ts'

export const responseTypes: readonly ResponseType[] = [code, token, idToken, ...combinedTypes]
