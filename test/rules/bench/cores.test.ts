/** Which CPUs a benchmark takes for its servers and its load. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseCores, cpusIn } from '../../../bench/cores.ts'

/** Two threads on each core, as Linux numbers them on most machines. */
const threaded = (cpu: number) => [cpu % 4, (cpu % 4) + 4]
const alone = (cpu: number) => [cpu]

describe('the cores of a benchmark', () => {
  it('are read from a list as Linux writes it', () => {
    assert.deepEqual(cpusIn('0-2,5,7-8\n'), [0, 1, 2, 5, 7, 8])
    assert.deepEqual(cpusIn(''), [])
  })

  it('are four where there are four', () => {
    const chosen = { server: 0, 'server beside': 1, load: 2, 'load beside': 3 }
    assert.deepEqual(chooseCores([0, 1, 2, 3, 4, 5, 6, 7], threaded), chosen)
  })

  it('are only those that this process may use', () => {
    const chosen = { server: 5, 'server beside': 9, load: 9, 'load beside': 5 }
    assert.deepEqual(chooseCores([5, 9], alone), chosen)
  })

  it('are cores before they are threads of a core', () => {
    assert.equal(chooseCores([0, 4, 1, 5], threaded)?.load, 1)
    assert.equal(chooseCores([0, 4], threaded)?.load, 4)
  })

  it('are none where there is one', () => {
    assert.equal(chooseCores([3], alone), null)
    assert.equal(chooseCores([], alone), null)
  })
})
