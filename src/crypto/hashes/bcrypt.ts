/**
 * Bcrypt: `$2b$10$` and 53 characters of salt and hash. Django hashes the hexadecimal SHA-256 of the
 * password instead: `$django-bcrypt-sha256$2b$12$`.
 */
import { hash } from 'node:crypto'
import { hashLimits } from '../limits.ts'
import type { HashAlgorithm } from './phc.ts'

const form = /^(\$django-bcrypt-sha256)?(\$2b\$(\d\d)\$[./A-Za-z0-9]{53})$/

export const bcryptHashes: HashAlgorithm = {
  owns: (stored) => /^(?:\$django-bcrypt-sha256)?\$2b\$/.test(stored),
  problem(stored) {
    const rounds = Number(form.exec(stored)?.[3] ?? 0)
    if (rounds < 4) return 'it is not complete'
    const most = hashLimits.cost.bcryptRounds
    return rounds > most ? `its cost is ${rounds}, and ${most} is the most` : null
  },
  async verify(stored, password) {
    const [, django, bcrypt] = form.exec(stored) ?? []
    if (bcrypt === undefined) return false
    // Loaded by the first such hash: most services never have one.
    const { verify } = await import('@node-rs/bcrypt')
    return verify(django === undefined ? password : hash('sha256', password, 'hex'), bcrypt)
  },
}
