/** An ID token under a key that the store has to keep for longer, as an operation for planted faults. */
import assert from 'node:assert/strict'
import { newPerson, password } from '../support/people.ts'
import { type Operation, passwordGrant, reading } from './operation.ts'

const daySeconds = 86_400

/** @param pass lets so many seconds pass: the key was kept for a shorter time */
export const keyOperation = (pass: (seconds: number) => void): Operation =>
  reading(
    'sign with a key to be kept for longer',
    async (service) => {
      const { username } = await newPerson(service)
      return () => {
        pass(3 * daySeconds)
        return passwordGrant(service, username, password, { scope: 'openid' })
      }
    },
    ({ body }) => assert.match(body.id_token, /^[\w-]+\.[\w-]+\.[\w-]+$/),
  )
