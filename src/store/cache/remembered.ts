/**
 * A bounded cache: oldest out first, and each answer is valid as long as its marks. Caching every
 * read of a large store would cost more than it saves. So the first read of an id only notes the
 * id.
 */
import { engineLimits } from '../limits.ts'
import type { Mark, Marks } from './marks.ts'

const ofObject = 40
const ofMember = 8
const ofText = 24

/** One character beyond Latin-1 makes every character of its text take two bytes. */
const beyondLatin1 = /[^\0-\xff]/

/** @param value what JSON can say, and not deeply nested */
const measureSize = (value: unknown): number => {
  if (typeof value === 'string') return ofText + value.length * (beyondLatin1.test(value) ? 2 : 1)
  if (typeof value !== 'object' || value === null) return 0
  let size = ofObject
  for (const member of Object.values(value)) size += ofMember + measureSize(member)
  return size
}

interface CacheEntry<Answer> {
  answer: Answer
  readonly marks: readonly Mark[]
  readonly size: number
}

/** What an answer takes beside itself: its place under its id, and each mark. */
const ofEntry = 150
const ofMark = 100

/** Where there is no more room, so much of it is made at once: looking for the oldest costs most. */
const roomMade = 1 / 16

export class Remembered<Answer> {
  readonly #marks: Marks
  readonly #mostBytes: number
  readonly #entries = new Map<string, CacheEntry<Answer>>()
  /** Ids that were read lately and are not cached. */
  readonly #noted = new Set<string>()
  #bytes = 0

  constructor(marks: Marks, mostBytes: number) {
    this.#marks = marks
    this.#mostBytes = mostBytes
  }

  find(id: string): Answer | undefined {
    const entry = this.#entries.get(id)
    if (entry === undefined) return undefined
    for (const mark of entry.marks) if (!mark.isGood) return undefined
    return entry.answer
  }

  /** Whether it was asked for lately, and so is worth remembering. If not, that is noted. */
  expects(id: string): boolean {
    if (this.#entries.has(id) || this.#noted.delete(id)) return true
    if (this.#noted.size >= engineLimits.idsNoted) this.#noted.clear()
    this.#noted.add(id)
    return false
  }

  /**
   * Remembers what holds at this moment, unless it is too large.
   *
   * @param things what it rests on
   */
  keep(id: string, answer: Answer, things: readonly string[]): void {
    this.forget(id)
    const size = measureSize(answer) + ofEntry + things.length * ofMark
    if (size > this.#mostBytes * roomMade) return
    const marks = this.#marks.take(things)
    if (marks === null) return
    this.#entries.set(id, { answer, marks, size })
    this.#bytes += size
    if (this.#bytes > this.#mostBytes) this.#makeRoom()
  }

  forget(id: string): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    this.#entries.delete(id)
    this.#bytes -= entry.size
    this.#marks.giveBack(entry.marks)
  }

  #makeRoom(): void {
    const left = this.#mostBytes * (1 - roomMade)
    for (const id of this.#entries.keys()) {
      if (this.#bytes <= left) return
      this.forget(id)
    }
  }
}
