import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Secsctl } from '../../support/secsctl.js'

const secsctl = new Secsctl()
afterAll(() => secsctl.remove())
const run = (...args: string[]) => secsctl.run(['explain', ...args])

test('a word is explained line by line in a pipe, and as an object', async () => {
  const { code, stdout, stderr } = await run('reply_timeout')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('word\treply_timeout\terror\n')
  expect(stdout).toContain('try\tsecsctl equipment show EQ\n')
  const told = JSON.parse((await run('reply_timeout', '--json')).stdout)
  expect(told).toMatchObject({
    word: 'reply_timeout',
    explanations: [{ facts: { status: '504', 'exit code': '7' } }],
  })
})

test('several words are one phrase where that means something, else one after the other', async () => {
  expect((await run('Reject', '4')).stdout).toContain('word\tReject.req 4\t')
  const both = (await run('S9F7', 'T6')).stdout
  expect(both).toContain('word\tS9F7\t')
  expect(both).toContain('word\tT6\ttimer\n')
})

test('a word that is not known ends with 3 and says what is near', async () => {
  expect(await run('reply_timout')).toEqual({
    code: 3,
    stdout: '',
    stderr:
      'Error: nothing is known of "reply_timout"; near it: reply_timeout\nTry: secsctl explain reply_timeout\n',
  })
  expect((await run('S9F7', 'zzzzzz')).stderr).toContain(
    'nothing is known of "zzzzzz"\nTry: secsctl explain\n',
  )
  expect(JSON.parse((await run('zzzzzz', '--json')).stderr)).toMatchObject({ code: 'missing' })
})

test('without a word all of them are listed', async () => {
  const { code, stdout } = await run()
  expect(code).toBe(0)
  expect(stdout).toContain('WAIT_CRA\tcommunication state\t')
  expect(JSON.parse((await run('--json')).stdout).length).toBeGreaterThan(100)
})

test('a message of the site is explained from its file', async () => {
  const site = join(secsctl.home, 'site.json')
  const message = {
    stream: 64,
    function: 1,
    name: 'Chamber Request',
    direction: 'host',
    w_bit: 'forbidden',
    structure: '',
  }
  writeFileSync(site, JSON.stringify({ messages: [message], items: [] }))
  const { stdout } = await run('S64F1', '--catalogue', site)
  expect(stdout).toContain('word\tS64F1\tmessage\nmeaning\tChamber Request.')
})
