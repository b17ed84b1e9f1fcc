import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PseudoTerminal } from '../../support/pseudo-terminal.js'
import { Secsctl } from '../../support/secsctl.js'

const secsctl = new Secsctl()
const LEAVE = '\x1b[?7h\x1b[?25h\x1b[?1049l'

beforeAll(async () => {
  expect(await secsctl.run(['daemon', 'start', '--port', '0'])).toMatchObject({ code: 0 })
  const added = await secsctl.run(['equipment', 'add', 'etcher', '--address', '127.0.0.1:5000'])
  expect(added).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await secsctl.run(['daemon', 'stop'])
  secsctl.remove()
})

const top = (before = '', env: Readonly<Record<string, string>> = {}): PseudoTerminal =>
  new PseudoTerminal(`${before}node bin/run.js top --interval 200ms`, {
    ...secsctl.environment({ TERM: 'xterm', LANG: 'C.UTF-8', ...env }),
  })

describe('on a terminal', () => {
  test('q ends it with 0, and the terminal is as before: its screen, its cursor, its line editing', async () => {
    const terminal = top('', { NO_COLOR: '1' })
    await terminal.shows('> etcher +ok +NOT_CONNECTED DISABLED')
    expect(terminal.text).toContain('\x1b[?1049h')
    terminal.type('\r')
    await terminal.shows('the gateway dials it')
    terminal.type('?')
    await terminal.shows('draw the screen again')
    terminal.type('x')
    const opened = terminal.text.length
    terminal.type('\x1b')
    await terminal.shows('EQUIPMENT', opened)
    terminal.type('q')
    expect(await terminal.ended()).toBe(0)
    expect(terminal.text.endsWith(LEAVE)).toBe(true)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what is looked for.
    expect(terminal.text).not.toMatch(/\x1b\[[\d;]*m/)
  })

  test('it continues with a daemon that was restarted on another port, and says so in between', async () => {
    const terminal = top()
    await terminal.shows('etcher')
    const stopped = terminal.text.length
    await secsctl.run(['daemon', 'stop'])
    await terminal.shows('Trying again', stopped)
    const started = terminal.text.length
    const { code, stdout, stderr } = await secsctl.run(['daemon', 'start', '--port', '0', '--json'])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const { url } = JSON.parse(stdout) as { readonly url: string }
    await terminal.shows(url, started)
    terminal.type('\x03')
    expect(await terminal.ended()).toBe(130)
  })

  test.each([
    ['TERM', 143],
    ['HUP', 129],
  ])('SIG%s ends it with %i, and the terminal is as before', async (signal, code) => {
    const terminal = top('echo "pid $$."; exec ')
    await terminal.shows('etcher')
    const pid = Number(/pid (\d+)\./.exec(terminal.text)?.[1])
    process.kill(pid, `SIG${signal}`)
    expect(await terminal.ended()).toBe(code)
    expect(terminal.text.endsWith(LEAVE)).toBe(true)
  })

  test('a terminal that cannot move its cursor is told what else there is', async () => {
    const terminal = top('', { TERM: 'dumb' })
    expect(await terminal.ended()).toBe(2)
    expect(terminal.text).toContain('secsctl top --once')
    expect(terminal.text).not.toContain('\x1b[?1049h')
  })
})

describe('without a terminal', () => {
  test('it ends with 2 and says what else there is', async () => {
    const { code, stdout, stderr } = await secsctl.run(['top'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('secsctl equipment list')
  })

  test('--once prints one screen, in ASCII where the locale is no other, or its records', async () => {
    const { code, stdout, stderr } = await secsctl.run(['top', '--once', '--interval', '200ms'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^ {2}etcher +ok +NOT_CONNECTED DISABLED +UNKNOWN +0 +_$/m)
    expect(stdout).toMatch(/^[\x20-\x7e\n]*$/)
    const json = await secsctl.run(['top', '--once', '--interval', '200ms', '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ equipment: [{ name: 'etcher' }], alarms: [] })
  })
})
