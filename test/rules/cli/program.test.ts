/** The tree of commands: help with examples, completion, and the page about all of them. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import type { Command } from 'commander'
import { writeCompletion } from '../../../src/cli/completion.ts'
import { createProgram } from '../../../src/cli/program.ts'

const program = createProgram(() => {})

const all = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(all)]
const commands = all(program).slice(1)

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`

const helpOf = (command: Command): string => {
  let text = ''
  command.configureOutput({ writeOut: (piece) => (text += piece) })
  command.outputHelp()
  return text
}

describe('the help of every command', () => {
  for (const command of commands) {
    const path = pathOf(command)
    it(`has an example that begins with its words: ${path}`, () => {
      const [, examples = ''] = helpOf(command).split(/\nExamples?:\n/)
      assert.ok(examples.includes(`${path}`), examples)
    })

    it(`offers --json wherever something is answered: ${path}`, () => {
      const without = ['start', 'follow', 'completion', 'export', 'help']
      if (command.commands.length > 0 || without.includes(command.name())) return
      assert.ok(command.options.some(({ long }) => long === '--json'))
    })
  }
})

/** What a shell offers after these words. */
const offered = (shell: 'bash' | 'zsh', words: readonly string[]): readonly string[] => {
  const script = writeCompletion(shell, program)
  const typed = words.map((word) => `'${word}'`).join(' ')
  const ask =
    shell === 'bash'
      ? `${script}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _latchkey; printf '%s\\n' "\${COMPREPLY[@]}"`
      : `compdef() { :; }; compadd() { shift; print -l -- "$@"; }; ${script}\nwords=(${typed}); CURRENT=${words.length}; _latchkey`
  const { stdout, stderr } = spawnSync(shell, shell === 'zsh' ? ['-f'] : [], {
    input: ask,
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  return stdout.split('\n').filter((word) => word !== '')
}

const hasShell = (shell: string): boolean => spawnSync(shell, ['-c', ':']).status === 0

describe('completion in fish', () => {
  it('has a case for each command', () => {
    const script = writeCompletion('fish', program)
    for (const command of commands) {
      const path = pathOf(command).replace('latchkey ', '')
      if (path !== 'help') assert.ok(script.includes(`case '${path}'`), path)
    }
    // Without this fish offers files everywhere.
    assert.ok(script.includes('\ncomplete -c latchkey -f\n'))
  })
})

describe('completion in bash', { skip: !hasShell('bash') }, () => {
  it('offers commands, subcommands and flags', () => {
    assert.deepEqual(offered('bash', ['latchkey', 'cl']), ['client'])
    assert.deepEqual(offered('bash', ['latchkey', 'owner', 'reset']), ['reset', 'reset-factors'])
    assert.deepEqual(offered('bash', ['latchkey', 'client', 'add', '--na']), ['--name'])
    assert.deepEqual(offered('bash', ['latchkey', 'client', '--json', 'rot']), ['rotate-secret'])
    assert.deepEqual(offered('bash', ['latchkey', 'completion', 'no-such-file']), [])
    assert.deepEqual(offered('bash', ['latchkey', 'verify', '--to', 'package.j']), [])
  })

  for (const flag of ['--config', '--position', '--rejects', '--secret-file', '--to']) {
    it(`offers files behind ${flag}`, () => {
      assert.deepEqual(offered('bash', ['latchkey', flag, 'package.j']), ['package.json'])
      assert.ok(offered('bash', ['latchkey', flag, '']).includes('package.json'))
    })
  }

  it('never offers a flag that is hidden', () => {
    assert.deepEqual(offered('bash', ['latchkey', 'backup', '--ser']), [])
  })
})

describe('completion in zsh', { skip: !hasShell('zsh') }, () => {
  it('offers subcommands and flags', () => {
    const words = offered('zsh', ['latchkey', 'token', ''])
    assert.deepEqual(words, ['inspect', 'revoke', '--help'])
  })
})
