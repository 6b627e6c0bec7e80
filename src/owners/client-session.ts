/** Login sessions as clients know them: `sid` (OpenID Connect Back-Channel Logout 1.0 section 2.1). */
import { digest } from '../crypto/digest.ts'
import type { Client } from '../model/client.ts'
import type { ClientSession } from '../model/ids.ts'
import type { Session } from '../model/session.ts'

/** So much of a digest that nobody finds another session with the same. */
const characters = 22

/** Each client gets another name of a session: two clients cannot tell that they have the same owner. */
export const clientSession = (
  { handle }: Pick<Session, 'handle'>,
  { id }: Pick<Client, 'id'>,
): ClientSession => digest(`client session\n${handle}\n${id}`).slice(0, characters) as ClientSession
