/** Limits as settings: their sources, their ranges, and that each one is used. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { loadSettings } from '../../../src/config/load.ts'
import {
  defaultLimits,
  formerLimits,
  limitNames,
  limitVariable,
  settableLimits,
} from '../../../src/config/settable-limits.ts'
import { settingsTable } from '../../../src/config/settings.ts'
import { sources } from '../../shape/source.ts'

const cwd = mkdtempSync(join(tmpdir(), 'latchkey-limits-'))
after(() => rmSync(cwd, { recursive: true }))

const load = (env: Readonly<Record<string, string>>, file: unknown = {}) => {
  writeFileSync(join(cwd, 'latchkey.config.json'), JSON.stringify(file))
  return loadSettings({ env, flags: {}, cwd })
}

const wrong = (env: Readonly<Record<string, string>>, file: unknown, ...faults: string[]): void =>
  assert.throws(() => load(env, file), { message: faults.join('\n') })

describe('limits of an operator', () => {
  test('come from the file, and over it from the environment', () => {
    const file = { limits: { keepAliveSeconds: 30, networkFreeTries: 300 } }
    const { limits, origins } = load({ LATCHKEY_LIMIT_KEEP_ALIVE_SECONDS: '40' }, file)
    assert.deepEqual(limits, { ...defaultLimits, keepAliveSeconds: 40, networkFreeTries: 300 })
    assert.deepEqual(origins, {
      'limits.keepAliveSeconds': 'environment',
      'limits.networkFreeTries': 'file',
    })
  })

  test('refuse what is out of range, and name the range', () => {
    wrong(
      { LATCHKEY_LIMIT_NETWORK_FREE_TRIES: '5' },
      { limits: { keepAliveSeconds: '1h' } },
      'LATCHKEY_LIMIT_NETWORK_FREE_TRIES must be a whole number from 10 to 10000, not "5"',
      '"limits.keepAliveSeconds" in latchkey.config.json must be a whole number from 1 to 3600, not "1h"',
    )
  })

  test('refuse unknown names, with a proposal', () => {
    wrong(
      { LATCHKEY_LIMIT_KEEP_ALIVE_SECOND: '60' },
      { limits: { networkFreeTry: 2048 } },
      'LATCHKEY_LIMIT_KEEP_ALIVE_SECOND is not a setting; did you mean LATCHKEY_LIMIT_KEEP_ALIVE_SECONDS?',
      '"limits" in latchkey.config.json has an unknown key "networkFreeTry"; did you mean networkFreeTries?',
    )
    const must = 'must be an object: its keys are the names of limits'
    wrong({}, { limits: [60] }, `"limits" in latchkey.config.json ${must}`)
  })

  for (const name of limitNames) {
    test(`${name} may be anything in its range, and nothing else`, () => {
      const { least, most, fallback } = settableLimits[name]
      assert.ok(least <= fallback && fallback <= most)
      for (const value of [least, most]) {
        assert.equal(load({ [limitVariable(name)]: String(value) }).limits[name], value)
      }
      for (const value of [least - 1, most + 1]) {
        assert.throws(
          () => load({ [limitVariable(name)]: String(value) }),
          /must be a whole number/,
        )
      }
    })
  }

  test('name the option that is gone, and what is there instead', () => {
    const both = load({ LATCHKEY_LIMIT_CODE_SECONDS: '5' }, { limits: { clientCacheBytes: 0 } })
    assert.deepEqual(both.gone, [
      'LATCHKEY_LIMIT_CODE_SECONDS is gone: a code always lasts 60 seconds',
      '"limits.clientCacheBytes" in latchkey.config.json is gone: set LATCHKEY_CACHE_MB for all caches together',
    ])
    assert.equal(both.limits.codeSeconds, 60)
    for (const [name, instead] of Object.entries(formerLimits)) {
      const { gone } = load({ [limitVariable(name)]: '1' })
      assert.deepEqual(gone, [`${limitVariable(name)} is gone: ${instead}`])
      assert.ok(!limitNames.some((known) => known === name), name)
    }
  })

  test('have meanings that end with one full stop', () => {
    const wrong = limitNames.filter((name) => !/[^.]\.$/.test(settableLimits[name].meaning))
    assert.deepEqual(wrong, [])
  })

  test('are few with the settings, and each says when to set it', () => {
    const rows = Object.entries({ ...settingsTable, ...settableLimits })
    assert.ok(rows.length <= 62, String(rows.length))
    const silent = rows.filter(([, { when }]) => !/^[A-Z].{10,}[^.]\.$/.test(when))
    assert.deepEqual(silent, [])
  })

  test('are all read somewhere', () => {
    const others = sources.filter(({ path }) => !path.includes('settable-limits'))
    const text = others.map(({ code }) => code).join('\n')
    assert.deepEqual(
      limitNames.filter((name) => !new RegExp(`\\b${name}\\b`).test(text)),
      [],
    )
  })
})
