import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Secsctl } from '../support/secsctl.js'

const secsctl = new Secsctl()
const folder = mkdtempSync(join(tmpdir(), 'secsctl-test-'))
afterAll(() => {
  secsctl.remove()
  rmSync(folder, { recursive: true, force: true })
})

test('a fleet says where each of it listens, and ends with a summary', async () => {
  const args = ['simulator', 'fleet', '3', 'minimal', '--port', '0', '--for', '200ms', '--json']
  const { code, stdout, stderr } = await secsctl.run(args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const { fleet } = lines[0] as { fleet: { name: string; port: number; mode: string }[] }
  expect(fleet.map(({ name, mode }) => `${name} ${mode}`)).toEqual([
    'minimal-001 passive',
    'minimal-002 passive',
    'minimal-003 passive',
  ])
  expect(new Set(fleet.map(({ port }) => port)).size).toBe(3)
  expect(lines.at(-1)).toMatchObject({ summary: { equipment: 3, selected: 0, sent: 0, unacknowledged: 0 } })
})

test('a recording of several equipments wants a choice, and lists them', async () => {
  const file = join(folder, 'day.ndjson')
  const entry = (seq: number, key: string) => ({
    seq,
    at: '2026-01-01T00:00:00.000Z',
    type: 'message',
    name: 'message_received',
    key,
    data: { stream: 1, function: 1, w_bit: true, session_id: 0, system_bytes: seq, body: '', reply_to: null },
  })
  writeFileSync(file, [entry(1, 'eq_a'), entry(2, 'eq_b')].map((one) => JSON.stringify(one)).join('\n'))
  const { code, stderr } = await secsctl.run(['simulator', 'replay', file, '--port', '0'])
  expect(code).toBe(2)
  expect(stderr).toContain('--equipment: eq_a (1 messages), eq_b (1 messages)')
  mkdirSync(join(secsctl.home, 'data'), { recursive: true })
  const records = join(secsctl.home, 'data', 'equipment.json')
  writeFileSync(records, JSON.stringify({ version: 1, records: [{ id: 'eq_b', name: 'coater' }] }))
  const one = ['simulator', 'replay', file, '--equipment', 'coater', '--host', '192.0.2.1']
  const [listed, named] = await Promise.all([
    secsctl.run(['simulator', 'replay', file, '--equipment', 'etcher', '--port', '0']),
    secsctl.run(one),
  ])
  rmSync(records)
  expect(listed.stderr).toContain(
    '"etcher" is none or several; choose with --equipment: eq_a (1 messages), eq_b (coater, 1',
  )
  expect(named.stderr).toContain('cannot listen') // it was found
  writeFileSync(file, 'no journal\n')
  const broken = await secsctl.run(['simulator', 'replay', file, '--port', '0'])
  expect(broken.code).toBe(2)
  expect(broken.stderr).toContain(`${file}, line 1: not an entry of a journal`)
})
