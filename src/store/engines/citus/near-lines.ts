/** Lines to the machines of a cluster, beside those to its coordinator, which does all that they cannot. */
import { isLoopback } from '../../../config/issuer.ts'
import type { Random } from '../../../model/ids.ts'
import { integer, text } from '../../sql/row.ts'
import { statement } from '../../sql/statement.ts'
import type { SeenWorkers } from '../../store.ts'
import { askDurability, type Connection, Durability } from '../postgres/connection.ts'
import type { Dialect } from '../postgres/dialect.ts'
import { refuse } from '../postgres/fault.ts'
import { createDialler, createLine, type Line } from '../postgres/line.ts'
import type { Ask } from './cluster.ts'
import { moveUrl } from './coordinator.ts'
import { type MachineAddress, readMachine, writeMachine } from './machines.ts'

/**
 * So long after a look, machines are asked without the coordinator. A machine that was replaced does not know it. A
 * node that hears nothing of the coordinator may not hear of the new machine either.
 */
const lookMilliseconds = 25_000

/** No two servers began at the same microsecond, and a server that begins anew has lost its connections. */
const askBegin = 'select extract(epoch from pg_postmaster_start_time()) as begun'

/** When each machine began, by its name. */
export type Begins = ReadonlyMap<string, string>

/** Asks the coordinator about workers in its reach. @throws what it says, or the network to it */
export const findBegins = async (ask: Ask, { workers }: SeenWorkers): Promise<Begins> => {
  const reached = workers.flatMap(({ isReachable, name }) => (isReachable ? readMachine(name) : []))
  if (reached.length === 0) return new Map()
  const listPlaces = (type: string) =>
    `array[${reached.map(() => `cast(? as ${type})`).join(', ')}]`
  const rows = await ask(
    `select node_name as host, node_port as port, result from master_run_on_worker(
      ${listPlaces('text')}, ${listPlaces('integer')}, ${listPlaces('text')}, true) where success`,
    ...reached.map(({ host }) => host),
    ...reached.map(({ port }) => port),
    ...reached.map(() => askBegin),
  )
  return new Map(
    rows.map((row) => [
      writeMachine({ host: text(row.host), port: integer(row.port) }),
      text(row.result),
    ]),
  )
}

/** When the server of a connection began. */
export const findBegin = async (ask: Ask): Promise<string> => text((await ask(askBegin))[0]?.begun)

/** Where a node may go. The coordinator may call its own machine by a name that is another one here. */
export const findNearUrl = (url: string, address: MachineAddress): string | null =>
  isLoopback(address.host) && !isLoopback(new URL(url).hostname) ? null : moveUrl(url, address)

interface NearOptions {
  /** Of the coordinator. */
  readonly url: string
  readonly dialect: Dialect
  readonly random: Random
}

/** The lines of a node to one machine. */
const openMachine = (url: string, dialect: Dialect, random: Random) => {
  /** When the coordinator's machine began. */
  let begun = ''
  const beginOf = new WeakMap<Connection, string>()
  const durability = new Durability()
  const lines: Line[] = []
  /** A name may lead from here to another server, such as a copy of the cluster. */
  const prove = async (connection: Connection): Promise<void> => {
    const found = await findBegin((sql) => connection.query(statement(sql)))
    if (found !== begun) throw refuse('unreachable')
    beginOf.set(connection, found)
  }
  const dialler = createDialler(url, durability, random, dialect, prove)
  const takeOpen = (line: Line): Connection | null => {
    const connection = line.takeOpen()
    if (connection === null || beginOf.get(connection) === begun) return connection
    connection.destroy()
    return null
  }
  return {
    openLine: (): (() => Connection | null) => {
      const line = createLine(dialler)
      lines.push(line)
      return () => takeOpen(line)
    },
    /** Settings of the server may change under its connections. */
    async renew(begin: string): Promise<void> {
      begun = begin
      const [connection] = lines.flatMap((line) => (line.isOpen() ? (takeOpen(line) ?? []) : []))
      const [row] = (await connection?.query(statement(askDurability))) ?? []
      if (row !== undefined) durability.note(row)
    },
    close: async (): Promise<void> => {
      await Promise.all(lines.map((line) => line.close()))
    },
  }
}

type NearMachine = ReturnType<typeof openMachine>

export const openNearLines = ({ url, dialect, random }: NearOptions) => {
  const asked = { ...dialect, sessionSettings: dialect.near?.sessionSettings ?? [] }
  /** By their names, as the last look found them. */
  const opened = new Map<string, NearMachine>()
  const avoided = new Set<number>()
  let end: NodeJS.Timeout | undefined
  let isRecent = false
  const find = (machine: number): NearMachine | null => {
    const address = dialect.machines?.addressOf(machine) ?? null
    const isUsed = address !== null && isRecent && !avoided.has(machine)
    return isUsed ? (opened.get(writeMachine(address)) ?? null) : null
  }
  const forget = (names: readonly string[]): Promise<unknown> => {
    const gone = names.map((name) => opened.get(name)?.close())
    for (const name of names) opened.delete(name)
    return Promise.all(gone)
  }
  const noteRecent = (): void => {
    avoided.clear()
    clearTimeout(end)
    isRecent = true
    end = setTimeout(() => {
      isRecent = false
    }, lookMilliseconds)
    end.unref()
  }
  return {
    /** Lines for one who works at one thing at a time: one to each machine. */
    openSlot(): Line['near'] {
      const own = new WeakMap<NearMachine, () => Connection | null>()
      return (machine) => {
        const there = find(machine)
        if (there === null) return null
        const takeOpen = own.get(there) ?? there.openLine()
        own.set(there, takeOpen)
        return { takeOpen, avoid: () => avoided.add(machine) }
      }
    },
    /** Notes which machines the coordinator has found, and when each began. */
    async note(begins: Begins): Promise<void> {
      noteRecent()
      const gone = [...opened.keys()].filter((name) => !begins.has(name))
      const renewed = [...begins].map(([name, begun]) => {
        const there = findNearUrl(url, readMachine(name))
        if (there === null) return null
        const machine = opened.get(name) ?? openMachine(there, asked, random)
        opened.set(name, machine)
        return machine.renew(begun)
      })
      await Promise.allSettled([...renewed, forget(gone)])
    },
    close: async (): Promise<void> => {
      clearTimeout(end)
      isRecent = false
      await forget([...opened.keys()])
    },
  }
}
