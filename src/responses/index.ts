/** The response types of the service; a further one is one file and one line. */
import { code } from './code.ts'
import type { ResponseType } from './response.ts'
import { token } from './token.ts'

export const responseTypes: readonly ResponseType[] = [code, token]
