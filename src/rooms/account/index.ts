/** The account: its owner's own pages. */

import { queryOf } from '../../http/exchange.ts'
import type { HttpRequest } from '../../http/request.ts'
import { type FormerRow, json, page } from '../../route.ts'
import { showAccessPage } from './access/endpoint.ts'
import { changeAccount } from './applications/changes.ts'
import { showAccountPage } from './applications/endpoint.ts'
import { confirmRows } from './confirm/endpoint.ts'
import { deleteAccount, showDelete } from './deletion/delete.ts'
import { decideDeletion, showLeaving } from './deletion/leaving.ts'
import { download, showDownload } from './download/endpoint.ts'
import { changeEmail, showEmailPage } from './email/endpoint.ts'
import { showEnded } from './ended/endpoint.ts'
import { showEvents } from './events/endpoint.ts'
import { showLedger } from './ledger/endpoint.ts'
import { downloadLedger } from './ledger/file.ts'
import { choosePassword, showPasswordPage } from './password/endpoint.ts'
import { changeProfile, showProfile } from './profile/endpoint.ts'
import { setUpCodes, showCodesSetup } from './security/codes.ts'
import { changeSecurity, showSecurityPage } from './security/endpoint.ts'
import { keepRecoveryCodes, showRecoveryCodes } from './security/recovery-codes.ts'
import { changeSessions, showSessions } from './sessions/endpoint.ts'
import { changeUpstreams, showDirectoryLink } from './upstreams/endpoint.ts'

const confirmed = { ...page, isConfirmed: true } as const

/** The ledger of one authorization: a login leads back to that one. */
const nameLedger = (request: HttpRequest): string =>
  `ledger-${queryOf(request).find('authorization') ?? ''}`

const pages: readonly FormerRow[] = [
  { ...page, method: 'GET', path: '/account', handler: showAccountPage },
  { ...page, method: 'POST', path: '/account', handler: changeAccount },
  { ...page, method: 'GET', path: '/account/access/:id', handler: showAccessPage },
  { ...page, method: 'GET', path: '/account/sessions', handler: showSessions },
  { ...page, method: 'POST', path: '/account/sessions', handler: changeSessions },
  { ...confirmed, method: 'GET', path: '/account/email', handler: showEmailPage },
  { ...page, method: 'POST', path: '/account/email', handler: changeEmail },
  { ...page, method: 'GET', path: '/account/profile', handler: showProfile },
  { ...page, method: 'POST', path: '/account/profile', handler: changeProfile },
  { ...confirmed, method: 'GET', path: '/account/download', handler: showDownload },
  { ...page, method: 'POST', path: '/account/download', handler: download },
  { ...confirmed, method: 'GET', path: '/account/delete', handler: showDelete },
  { ...page, method: 'POST', path: '/account/delete', handler: deleteAccount },
  { ...page, method: 'GET', path: '/account/deletion', handler: showLeaving },
  { ...page, method: 'POST', path: '/account/deletion', handler: decideDeletion },
  { ...page, method: 'GET', path: '/account/password', handler: showPasswordPage },
  { ...page, method: 'POST', path: '/account/password', handler: choosePassword },
  { ...page, method: 'GET', path: '/account/events', handler: showEvents },
  { ...page, method: 'GET', path: '/account/ended', handler: showEnded },
  { ...page, method: 'GET', path: '/account/ledger', handler: showLedger, back: nameLedger },
  { ...json, method: 'GET', path: '/account/ledger.json', handler: downloadLedger },
  { ...confirmed, method: 'GET', path: '/account/security', handler: showSecurityPage },
  { ...page, method: 'POST', path: '/account/security', handler: changeSecurity },
  {
    ...page,
    method: 'POST',
    path: '/account/upstreams',
    handler: changeUpstreams,
    back: 'security',
  },
  { ...page, method: 'GET', path: '/account/upstreams/:id', handler: showDirectoryLink },
  { ...confirmed, method: 'GET', path: '/account/security/codes', handler: showCodesSetup },
  { ...page, method: 'POST', path: '/account/security/codes', handler: setUpCodes },
  { ...confirmed, method: 'GET', path: '/account/security/recovery', handler: showRecoveryCodes },
  { ...page, method: 'POST', path: '/account/security/recovery', handler: keepRecoveryCodes },
]

export const accountRows: readonly FormerRow[] = [...pages, ...confirmRows(pages)]
