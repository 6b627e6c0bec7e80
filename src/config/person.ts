/** The person behind a command, as the environment tells. */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Environment } from './remote.ts'

/** Names of other forms are not told. */
const plainName = /^[\w.@+-]{1,100}$/

/** The caller of `sudo`; '' for none. Anybody may set the variable, so a name gives no rights. */
export const findSudoUser = ({ SUDO_USER = '' }: Environment = process.env): string =>
  plainName.test(SUDO_USER) ? SUDO_USER : ''

/** The folder for the configuration of programs. A relative path of the variable does not count (XDG). */
export const findConfigFolder = ({ XDG_CONFIG_HOME = '' }: Environment = process.env): string =>
  isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(homedir(), '.config')
