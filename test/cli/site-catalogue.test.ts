import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../support/free-port.js'
import { Secsctl } from '../support/secsctl.js'

const SITE = {
  messages: [
    {
      stream: 64,
      function: 1,
      name: 'Chamber Request',
      direction: 'host',
      w_bit: 'required',
      structure: '<CHAMBER>',
    },
    {
      stream: 64,
      function: 2,
      name: 'Chamber Data',
      direction: 'equipment',
      structure: '<L <CHAMBER> <TEXT>>',
    },
  ],
  items: [{ name: 'CHAMBER', formats: ['U4'], meaning: 'which chamber' }],
}
const PROBLEM = '/messages/0/structure: there is no item CHAMBER, in the standard or under items'

let secsctl: Secsctl
let site: string
let bad: string
beforeEach(() => {
  secsctl = new Secsctl()
  site = join(secsctl.home, 'site.json')
  bad = join(secsctl.home, 'bad.json')
  writeFileSync(site, JSON.stringify(SITE))
  writeFileSync(bad, JSON.stringify({ ...SITE, items: [] }))
})
afterEach(async () => {
  await secsctl.run(['daemon', 'stop'])
  secsctl.remove()
})

test('a file is checked without a daemon: its messages are listed, or all that is wrong with it', async () => {
  const right = await secsctl.run(['messages', 'check', site])
  expect(right).toMatchObject({ code: 0, stderr: expect.stringContaining('2 messages and 1 item.') })
  expect(right.stdout).toContain('S64F1\tChamber Request\thost to equipment\treply required')
  const wrong = await secsctl.run(['messages', 'check', bad])
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(wrong.stderr.split('\n').filter((line) => line.startsWith(`${bad}:1:`))).toHaveLength(2)
  expect(wrong.stderr).toContain(PROBLEM)
  expect(await secsctl.run(['messages', 'check'])).toMatchObject({ code: 2 })
  const piped = await secsctl.run(['messages', 'check', '-'], { input: '[]' })
  expect(piped).toMatchObject({ code: 2, stderr: expect.stringContaining('standard input:1:1 [] is not') })
})

test('a file that is not UTF-8 is refused, not mended', async () => {
  writeFileSync(site, Buffer.from(JSON.stringify(SITE).replace('which', 'fün'), 'latin1'))
  const { code, stdout, stderr } = await secsctl.run(['messages', 'check', site])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(`the catalogue ${site} is not UTF-8`)
})

test('what such a file holds is in the help', async () => {
  const { stdout } = await secsctl.run(['messages', 'check', '--help'])
  const words = stdout.replace(/\s+/g, ' ')
  expect(words).toContain('The file is JSON')
  expect(words).toContain('have an answer')
})

test('its schema is JSON Schema', async () => {
  const { stdout } = await secsctl.run(['messages', 'check', '--schema'])
  expect(JSON.parse(stdout)).toMatchObject({ type: 'object', properties: { messages: {}, items: {} } })
})

test.each(['run', 'start', 'restart'])('daemon %s refuses one that is wrong, and says why', async (verb) => {
  const { code, stderr } = await secsctl.run(['daemon', verb, '--port', '0', '--catalogue', bad])
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(PROBLEM) })
})

test('a daemon keeps it over a restart, and describe knows what the daemon knows', async () => {
  const describe64 = async () => (await secsctl.run(['messages', 'describe', 'S64F1'])).code
  expect(await describe64()).toBe(3)
  // Started again on the same port, which no outgoing connection takes meanwhile.
  const port = String(await freePort())
  expect(await secsctl.run(['daemon', 'start', '--port', port, '--catalogue', site])).toMatchObject({
    code: 0,
  })
  expect(await describe64()).toBe(0)
  expect(await secsctl.run(['daemon', 'restart'])).toMatchObject({ code: 0 })
  expect(await describe64()).toBe(0)
  writeFileSync(site, '{')
  expect(await secsctl.run(['daemon', 'restart'])).toMatchObject({ code: 2 })
  expect(await secsctl.run(['daemon', 'status'])).toMatchObject({ code: 0 })
})
