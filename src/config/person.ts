/** The person behind a command, as the environment tells. */

/** Names of other forms are not told. */
const plainName = /^[\w.@+-]{1,100}$/

/** The caller of `sudo`; '' for none. Anybody may set the variable, so a name gives no rights. */
export const findSudoUser = ({ SUDO_USER = '' }: NodeJS.ProcessEnv = process.env): string =>
  plainName.test(SUDO_USER) ? SUDO_USER : ''
