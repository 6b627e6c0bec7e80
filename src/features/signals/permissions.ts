/** The permissions of streams (CAEP Interoperability Profile 1.0 section 2.7.3), as a scope names them. */

export const signalPermissions = ['ssf.manage', 'ssf.read'] as const
