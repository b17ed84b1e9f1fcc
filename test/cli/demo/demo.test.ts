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

test('the picture of the demo shows what it prints: npm run docs makes it anew', async () => {
  const { stdout } = await secsctl.runProcess(['demo'], { env: { TMPDIR: temporary, FORCE_COLOR: '1' } })
  expect(readFileSync('docs/demo.svg', 'utf8')).toBe(demoPicture(stdout))
})
