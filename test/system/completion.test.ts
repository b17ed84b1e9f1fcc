import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeGateway } from '../support/fake-gateway.js'
import { sampleEquipment } from '../support/sample-equipment.js'
import { ended, Secsctl } from '../support/secsctl.js'

const secsctl = new Secsctl()
const gateway = new FakeGateway({
  'GET /equipment': () => ({
    body: { items: [sampleEquipment({ name: 'my asher' }), sampleEquipment()], next_cursor: null },
  }),
})
const folder = join(secsctl.home, 'bin')
const ran = join(secsctl.home, 'ran')
let url = ''

/** What completes is the real program; what is run only notes its words. */
beforeAll(async () => {
  url = await gateway.listen()
  mkdirSync(folder)
  const program = `'${process.execPath}' '${join(process.cwd(), 'bin/run.js')}'`
  const lines = [
    '#!/bin/sh',
    `case "$1" in __complete|completion) exec ${program} "$@";; esac`,
    `for word in "$@"; do printf '[%s]' "$word"; done >> '${ran}'`,
    `echo >> '${ran}'`,
  ]
  writeFileSync(join(folder, 'secsctl'), `${lines.join('\n')}\n`, { mode: 0o755 })
})
afterAll(async () => {
  await gateway.close()
  secsctl.remove()
})

/** Types keys into a shell on a terminal of its own, and waits for its end. */
async function type(shell: string, keys: readonly string[]): Promise<void> {
  const { PATH = '' } = process.env
  const env = {
    PATH: `${folder}:${PATH}`,
    SECSCTL_URL: url,
    SECSCTL_TOKEN: 'x',
    HOME: secsctl.home,
    TERM: 'xterm',
  }
  const child = spawn('script', ['-qec', shell, '/dev/null'], { env: secsctl.environment(env) })
  child.stdin.end(`${keys.join('\n')}\nexit\n`)
  await ended(child)
}

test.each([
  ['bash --norc --noprofile -i', ['eval "$(secsctl completion bash)"']],
  ['zsh -f -i', ['autoload -Uz compinit; compinit -u -d ~/zcompdump', 'eval "$(secsctl completion zsh)"']],
  ['fish --no-config -i', ['secsctl completion fish | source']],
])('%s completes commands, flags, values, names and files', async (shell, setup) => {
  const typed = async (): Promise<readonly string[]> => {
    writeFileSync(ran, '')
    await type(shell, [
      ...setup,
      'secsctl equipment sh\t',
      'secsctl send etch\t',
      'secsctl send my\\ \t',
      "secsctl send 'my\t",
      'secsctl events tail --type=al\t',
      'secsctl events tail --idle\t30s',
      'secsctl send etcher S2F41 RC\tSTART',
      'secsctl sml decode /etc/hostn\t',
    ])
    return readFileSync(ran, 'utf8').trimEnd().split('\n')
  }
  // Nobody waits half a second for the names of a gateway: on a busy machine it is typed again.
  await expect
    .poll(typed)
    .toEqual([
      '[equipment][show]',
      '[send][etcher]',
      '[send][my asher]',
      '[send][my asher]',
      '[events][tail][--type=alarm]',
      '[events][tail][--idle-timeout][30s]',
      '[send][etcher][S2F41][RCMD=START]',
      '[sml][decode][/etc/hostname]',
    ])
})
