import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EquipmentModel } from '../../src/gem/equipment/equipment-model.js'
import { retained } from '../../src/gem/equipment/retained.js'
import { A, B, BOOLEAN, bytesItem, F4, L, U1, U4 } from '../../src/secs2/item.js'
import type { Model } from '../../src/simulator/model.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { type Disk, Memory } from '../../src/simulator/state/memory.js'
import { StateFile } from '../../src/simulator/state/state-file.js'
import { GemPair } from '../support/gem-pair.js'

/** A disk that is made up. */
class MadeUpDisk implements Disk {
  text: string | undefined
  full = false

  read(): string | undefined {
    return this.text
  }

  write(text: string): void {
    if (this.full) throw new Error('no space left')
    this.text = text
  }
}

const furnace = (shippedModel('furnace') as Model).equipment
let disk: MadeUpDisk
let pair: GemPair
let memory: Memory

/** The power comes: an equipment that nobody talks to yet. */
function powerOn(model: EquipmentModel = furnace, name = 'furnace'): void {
  pair = new GemPair(model)
  pair.equipment.disable()
  memory = new Memory(pair.equipment, name, disk, pair.clock)
  pair.equipment.enable()
}

beforeEach(async () => {
  disk = new MadeUpDisk()
  powerOn()
  await pair.select()
})

/** Everything that a host and an operator can change. */
async function changeAll(): Promise<void> {
  const told = [
    pair.told(2, 15, L(L(U4(104), BOOLEAN(true)), L(U4(111), F4(999.5)))),
    pair.told(2, 31, A('2031010100000000')),
    pair.told(2, 37, L(BOOLEAN(false), L())),
    pair.told(2, 35, L(U4(1), L(L(U4(212), L())))),
    pair.told(2, 33, L(U4(1), L(L(U4(77), L(U4(20), U4(110)))))),
    pair.told(2, 35, L(U4(1), L(L(U4(212), L(U4(77), U4(1)))))),
    pair.told(2, 37, L(BOOLEAN(true), L(U4(212), U4(222)))),
    pair.told(5, 3, L(B(0), U4(2))),
    pair.told(2, 43, L(L(U1(6), L(U1(11))))),
    pair.told(7, 17, L(A('WETOX-950'))),
    pair.told(7, 3, L(A('RAW'), bytesItem('B', Uint8Array.of(0, 255, 10)))),
    pair.told(2, 45, L(U4(1), L(L(U4(20), L(L(B(3), L(F4(700), F4(650)))))))),
  ]
  expect(told.map((one) => one.match(/0x0\d/)?.[0])).toEqual(Array.from(told, () => '0x00'))
  await pair.equipment.operate('local')
  pair.cut()
  await pair.equipment.fireEvent('212')
  await pair.equipment.fireEvent('212')
  await pair.pass(0)
}

describe('what GEM wants to outlive the power', () => {
  test('is what it was when the power comes back, all of it', async () => {
    await changeAll()
    const before = retained(pair.equipment)
    powerOn()
    expect(retained(pair.equipment)).toEqual(before)
    expect(pair.clock.scheduled).toBeGreaterThan(0) // limits are looked at
    expect(pair.equipment.controlState).toBe('ONLINE_LOCAL')
    await pair.select()
    expect(pair.told(2, 13, L(U4(104), U4(111)))).toBe('<L [2] <BOOLEAN T> <F4 999.5> >')
    expect(pair.told(2, 17)).toMatch(/^<A "2031010100/)
    expect(pair.told(7, 5, A('RAW'))).toBe('<L [2] <A "RAW"> <B 0x00 0xFF 0x0A> >')
    expect(pair.told(7, 19)).toBe('<L [2] <A "DRYOX-950"> <A "RAW"> >')
    expect(pair.told(2, 47, L(U4(20)))).toContain('<L [3] <B 0x03> <F4 700> <F4 650> >')
    expect(pair.told(1, 3, L(U4(9), U4(6)))).toBe('<L [2] <U4 2> <L [2] <U4 1> <U4 3> > >')
  })

  test('has the spool among it, which is sent as it would have been', async () => {
    await changeAll()
    powerOn()
    await pair.select()
    pair.crossed.length = 0
    expect(pair.told(6, 23, U1(0))).toBe('<B 0x00>')
    await pair.pass(0)
    const sent = pair
      .sent()
      .map((one) => /<U4 \d+> <U4 (\d+)> <L \[2\] <L \[2\] <U4 (\d+)>/.exec(one)?.slice(1))
    expect(sent.slice(0, 2)).toEqual([
      ['212', '77'],
      ['212', '77'],
    ])
    await pair.pass(0)
    powerOn()
    expect(pair.equipment.spool?.counts).toEqual({ actual: 0, total: 2 })
    expect(pair.equipment.spool?.states.spool).toBe('SPOOL_INACTIVE')
  })

  test('of which a spool is refused that the model has no room for any more, and stays as it is', async () => {
    await changeAll()
    const { text } = disk
    expect(() => powerOn({ ...furnace, spool: { ...furnace.spool, capacity: 1 } })).toThrow(
      /no place .*spool/,
    )
    expect(disk.text).toBe(text)
  })

  test('is on the disk before the host is answered, and else a moment later', async () => {
    const [empty] = [disk.text]
    pair.told(7, 3, L(A('RAW'), A('x')))
    expect(disk.text).toBe(empty)
    memory.keep()
    expect(disk.text).toContain('"ppid":"RAW"')
    pair.equipment.operator.setConstant('110', 700)
    expect(disk.text).toContain('"110":{"F4":[600]}')
    await pair.pass(0)
    expect(disk.text).toContain('"110":{"F4":[700]}')
  })

  test('that cannot be kept is told, and kept as soon as it can', async () => {
    const failures: string[] = []
    memory.failed.on(({ message }) => failures.push(message))
    disk.full = true
    pair.equipment.operator.setConstant('110', 700)
    await pair.pass(0)
    expect(failures).toEqual(['no space left'])
    disk.full = false
    pair.equipment.operator.setConstant('111', 900)
    await pair.pass(0)
    expect(disk.text).toContain('"110":{"F4":[700]}')
  })
})

describe('what was kept', () => {
  const cases: readonly (readonly [string, (text: string) => string, RegExp])[] = [
    ['cut off', (text) => text.slice(0, -20), /damaged/],
    ['empty', () => '', /damaged/],
    ['something else', () => '[1]', /not the state of a simulator/],
    ['of a later version', (text) => text.replace('"version":1', '"version":2'), /version 2.* version 1/],
    [
      'of another model',
      (text) => text.replace('"model":"furnace"', '"model":"track"'),
      /track, not of furnace/,
    ],
    ['without its reports', (text) => text.replace('"reports"', '"retorts"'), /damaged: .*reports/],
    ['with a constant that is none', (text) => text.replace('{"F4":[600]}', '{"F4":["x"]}'), /damaged/],
    ['with a program that is no item', (text) => text.replace(/"id":"[^"]{12,}"/, '"id":"////"'), /damaged/],
    ['with what the model lacks', (text) => text.replace('"110":', '"119":'), /no place .*constant 119/],
  ]
  test.each(cases)('is refused when it is %s, and stays as it is', (_, change, message) => {
    const changed = change(disk.text ?? '')
    expect(changed).not.toBe(disk.text)
    disk.text = changed
    expect(() => powerOn()).toThrow(message)
    expect(disk.text).toBe(changed)
  })
})

describe('a file of it', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'secsctl-state-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('holds the last text alone, for its owner alone', () => {
    const file = new StateFile(join(folder, 'a.state'))
    expect(file.read()).toBeUndefined()
    file.write('one')
    file.write('two')
    expect(file.read()).toBe('two')
    expect(readdirSync(folder)).toEqual(['a.state'])
    expect(statSync(join(folder, 'a.state')).mode & 0o777).toBe(0o600)
  })

  test('that another simulator writes, too, is written by neither without a word', () => {
    const path = join(folder, 'a.state')
    const [one, other] = [new StateFile(path), new StateFile(path)]
    one.write('of one')
    other.write('of the other')
    expect(() => one.write('of one again')).toThrow('another program')
    expect(readFileSync(path, 'utf8')).toBe('of the other')
    writeFileSync(path, 'by hand')
    expect(() => other.write('again')).toThrow('another program')
  })
})
