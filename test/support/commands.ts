/** Commands of the command line on a service in this process. */
import { type AdminApi, makeAdminApi } from '../../src/cli/api.ts'
import type { Started } from './start.ts'

/** The admin API as commands of the user `root` ask it. */
export const apiOf = (service: Pick<Started, 'server'>): AdminApi =>
  makeAdminApi((request) => service.server().operated.operate(request, 'root'))
