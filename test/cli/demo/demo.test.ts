import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { demoPicture } from '../../../scripts/demo-picture.js'
import { ended, lineOf, Secsctl } from '../../support/secsctl.js'

const secsctl = new Secsctl()
let temporary: string
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'secsctl-test-'))
})
afterAll(() => {
  rmSync(temporary, { recursive: true, force: true })
  secsctl.remove()
})

test('the demo really does the main job, and leaves nothing over', async () => {
  const { code, stdout, stderr } = await secsctl.run(['demo'], { env: { TMPDIR: temporary } })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const message of [
    'S1F13',
    'S1F14',
    'S1F1',
    'S1F2',
    'S2F41',
    'S2F42',
    'S5F1',
    'S5F2',
    'S6F11',
    'S6F12',
  ]) {
    expect(stdout).toMatch(new RegExp(`^ {5}${message}( W)?\\.?$`, 'm'))
  }
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  expect(stdout).toMatch(/http:\/\/127\.0\.0\.1:7327\/$/m)
  // No colour in a pipe.
  expect(stdout).not.toContain('\x1b')
  expect(readdirSync(temporary)).toEqual([])
})

test('a demo that is interrupted ends with 130, and leaves nothing over', async () => {
  const demo = secsctl.start(['demo'], { TMPDIR: temporary })
  const over = ended(demo)
  const daemon = await lineOf(demo, /the gateway .*http/)
  demo.kill('SIGINT')
  expect(await over).toMatchObject({ code: 130, stderr: '' })
  expect(readdirSync(temporary)).toEqual([])
  const url = /http:\S+/.exec(daemon)?.[0] ?? ''
  const dead = await secsctl.run(['equipment', 'list', '--url', url], { env: { SECSCTL_TOKEN: 'x' } })
  expect(dead.code).toBe(6)
})

/** Processes of taps that work in the folder. */
const tapsIn = (folder: string): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const env = readFileSync(`/proc/${pid}/environ`, 'utf8')
        return env.includes(folder) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('tap\0run')
      } catch {
        return false // it has ended
      }
    })

test('a demo of a tap has a host run its lot through it, and leaves nothing over, its process neither', async () => {
  const { code, stdout, stderr } = await secsctl.run(['demo', '--tap'], { env: { TMPDIR: temporary } })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const way of ['host -> equipment   S2F41', 'host <- equipment   S6F11', 'gateway -> equipment   S1F3'])
    expect(stdout).toContain(way)
  expect(stdout).toMatch(/ok {2}ControlState is 5/)
  expect(stdout).toMatch(/ok {2}Host and equipment see through the tap/)
  expect(stdout.split('\n').filter((line) => line.length > 95)).toEqual([])
  expect(readdirSync(temporary)).toEqual([])
  if (process.platform === 'linux') expect(tapsIn(temporary)).toEqual([])
})

test('a demo of a tap that is interrupted ends the process of the taps, too', async () => {
  const demo = secsctl.start(['demo', '--tap'], { TMPDIR: temporary })
  const over = ended(demo)
  await lineOf(demo, /the gateway listens on port/)
  if (process.platform === 'linux') expect(tapsIn(temporary).length).toBe(1)
  demo.kill('SIGINT')
  expect(await over).toMatchObject({ code: 130, stderr: '' })
  expect(readdirSync(temporary)).toEqual([])
  if (process.platform === 'linux') expect(tapsIn(temporary)).toEqual([])
})

test('the picture of the demo shows what it prints: npm run docs makes it anew', async () => {
  const { stdout } = await secsctl.runProcess(['demo'], { env: { TMPDIR: temporary, FORCE_COLOR: '1' } })
  expect(readFileSync('docs/demo.svg', 'utf8')).toBe(demoPicture(stdout))
})
