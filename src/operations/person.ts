/** The person behind a command of `latchkey login`: an owner with a role, by a token of the command line. */
import { isCommandLine, refuseForeign } from '../clients/command-line.ts'
import { findClient } from '../clients/find.ts'
import { type ConsoleRole, findConsoleRole } from '../model/owner.ts'
import type { Permission } from '../model/resource.ts'
import { deriveContext, type Session } from '../model/session.ts'
import type { OwnerAccess } from '../model/token.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Store } from '../store/store.ts'

/** How long a proof of the person counts for changes. */
const proofSeconds = 15 * 60

/** As in the console, a password alone is not enough, and a change needs a recent proof. */
const checkLogin = (session: Session, needed: Permission, at: number): void => {
  if (deriveContext(session) === '1') {
    throw new Refusal(
      'insufficient_user_authentication',
      'command_factor_needed',
      'the command line needs a login with two factors: latchkey login',
      { acrValues: ['2'] },
    )
  }
  if (!needed.endsWith(':read') && at - session.confirmedAt >= proofSeconds) {
    throw new Refusal(
      'insufficient_user_authentication',
      'command_login_old',
      `a change needs a proof of the last ${proofSeconds / 60} minutes: latchkey login, or confirm an action of the console in the same browser`,
      { maxAge: proofSeconds },
    )
  }
}

const isOfCommandLine = async (
  { clientId, exchanged }: OwnerAccess,
  parts: { readonly store: Store },
): Promise<boolean> => {
  const client = exchanged.length > 0 ? null : await findClient(clientId, parts)
  if (client === null) return false
  refuseForeign(client, 'insufficient_scope')
  return isCommandLine(client)
}

/**
 * The login of the browser is read with each request, and its owner with it. So the end of that login, or
 * another role, holds at once. Tokens of other clients open nothing, and neither do exchanged ones.
 *
 * @throws Refusal `insufficient_scope`, `insufficient_user_authentication`, `invalid_token`
 */
export const findPersonRole = async (
  access: OwnerAccess,
  needed: Permission,
  at: number,
  parts: { readonly store: Store },
): Promise<ConsoleRole> => {
  if (!(await isOfCommandLine(access, parts))) {
    throw new Refusal(
      'insufficient_scope',
      'owner_token',
      'the admin API is for tokens that a client got for itself, and for those of latchkey login',
      { scope: needed },
    )
  }
  // Without a session its owner has given it another end, and no login stands behind it.
  const login = access.sessionId && (await parts.store.findSession(access.sessionId, at))
  const isWhole = login && login.owner.id === access.ownerId && login.owner.deletionAt === null
  if (!isWhole) {
    const said = 'the login behind the access token has ended: latchkey login'
    throw new Refusal('invalid_token', 'command_login_ended', said)
  }
  const role = findConsoleRole(login.owner)
  if (role === null) {
    const said = 'the command line is for owners with the role operator or auditor'
    throw new Refusal('insufficient_scope', 'command_role_needed', said, { scope: needed })
  }
  checkLogin(login.session, needed, at)
  return role
}
