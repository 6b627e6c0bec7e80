/** The service inside another program: what the package promises of `createServer` and `startService`. */
import { type ExtensionMethod, extendMethod } from './clients/methods/extension.ts'
import type { Settings } from './config/settings.ts'
import { type ExtensionGrant, extendGrant } from './grants/extension.ts'
import type { Clock } from './model/ids.ts'
import type { Tell } from './model/notice.ts'
import type { PromptValue } from './requests/prompts.ts'
import { type ExtensionResponseType, extendResponseType } from './responses/extension.ts'
import * as assembly from './server.ts'
import type { Store } from './store/store.ts'

/** How to assemble a service. */
export interface EmbedOptions {
  /** From `loadSettings`, or such an object with changed members. */
  readonly settings: Settings
  /** Grant types of your own, beside the built-in ones. */
  readonly grants?: readonly ExtensionGrant[]
  /** Client authentication methods of your own. */
  readonly clientMethods?: readonly ExtensionMethod[]
  /** Response types of your own. */
  readonly responseTypes?: readonly ExtensionResponseType[]
  /** Values of `prompt` of your own. */
  readonly prompts?: readonly PromptValue[]
  /** A store of your own (`latchkey/store`). Default: the one that `settings.store` names. */
  readonly store?: Store
  /** Receives every log entry; none holds a secret. Default: JSON lines on standard error. */
  readonly tell?: Tell
  /** For tests. Default: the clock of the system. */
  readonly clock?: Clock
  /** Called once if the disk fails. End the process then: only a restart helps. */
  readonly onBroken?: () => void
  /**
   * Whether `startService` opens the control socket beside a SQLite file, for commands of the same
   * user. Default: true.
   */
  readonly controlSocket?: boolean
}

/** A service that does not listen. */
export interface EmbeddedServer {
  readonly settings: Settings
  /** Answers a request. `peer` is the IP address that it came from. Never rejects. */
  fetch(request: Request, peer: string): Promise<Response>
  /** Does the housekeeping that is due. Call it about once a second. */
  tick(): Promise<void>
  /** Writes what is in memory and closes the store. */
  close(): Promise<void>
}

/** A service that listens on its own port. */
export interface EmbeddedService {
  /** The base URL of the service. */
  readonly issuer: string
  readonly port: number
  /** Stops listening, waits for requests under way, and closes the store. */
  close(): Promise<void>
}

/** The same for the assembly, whose entries get more than those of other programs. */
const extendOptions = ({
  grants = [],
  clientMethods = [],
  responseTypes = [],
  ...options
}: EmbedOptions): assembly.ServerOptions => ({
  ...options,
  grants: grants.map(extendGrant),
  clientMethods: clientMethods.map(extendMethod),
  responseTypes: responseTypes.map(extendResponseType),
})

/**
 * Assembles a service that you mount in a server of your own.
 *
 * @throws SettingsFault where the settings do not fit together
 * @throws RegistryFault where two grants, methods, response types or prompt values have one name
 * @throws StoreRefusal where the store cannot be opened
 */
export const createServer = (options: EmbedOptions): Promise<EmbeddedServer> =>
  assembly.createServer(extendOptions(options))

/**
 * Assembles a service and listens on the host and port of its settings.
 *
 * @throws SettingsFault, RegistryFault, StoreRefusal, or the error of Node where the port is taken
 */
export const startService = async (options: EmbedOptions): Promise<EmbeddedService> => {
  const service = await assembly.startService(extendOptions(options))
  const { controlSocket = true, store } = options
  if (!controlSocket || store !== undefined) return service
  // A program without the socket need not load the commands.
  const { takeCommandsOf } = await import('./cli/beside.ts')
  const stopCommands = await takeCommandsOf(service)
  return {
    ...service,
    close() {
      stopCommands()
      return service.close()
    },
  }
}
