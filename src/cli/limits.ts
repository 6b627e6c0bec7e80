/** Limits of commands for a running service, and of its processes. */
export const cliLimits = {
  /** A command for a running service, and how long it may take. */
  commandCharacters: 256 * 1024,
  commandSeconds: 300,
  /** Characters kept of the name of the user who typed it. */
  systemUserCharacters: 100,
  /** The address of a socket has 104 bytes on some systems, with a name behind it and a zero. */
  socketPathBytes: 90,
  /** How long the code of `latchkey operator` counts, and for how long what it opens is shown. */
  operatorCodeSeconds: 10 * 60,
  /** A file of `latchkey apply`. */
  applyFile: { bytes: 1024 * 1024, aliases: 100, faults: 50 },
  /** A realm export, which is in memory as a whole. */
  realmBytes: 128 * 1024 * 1024,
  /** `nice` of the hashing threads: they still get a tenth of a core. */
  poolNiceness: 10,
} as const
