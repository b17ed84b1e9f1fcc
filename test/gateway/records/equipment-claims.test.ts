import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { EquipmentClaims } from '../../../src/gateway/records/equipment-claims.js'
import {
  changedRecord,
  type EquipmentRecord,
  newEquipmentRecord,
} from '../../../src/gateway/records/equipment-record.js'
import { deferred } from '../../../src/kit/deferred.js'
import { serialDevice } from '../../../src/secs1/serial/serial-device.js'

const etcher = (id: string, port = 5000): EquipmentRecord =>
  newEquipmentRecord(id, { name: 'etcher', ip_address: '192.0.2.5', port }, '2026-01-01T00:00:00.000Z')

describe('a name that is being taken', () => {
  function beingTaken() {
    const registered: EquipmentRecord[] = []
    const claims = new EquipmentClaims(() => registered)
    const written = deferred<void>()
    const register = (record: EquipmentRecord, on: Promise<void>): Promise<string> =>
      claims.hold(record, undefined, async () => {
        await on
        registered.push(record)
        return record.id
      })
    const first = register(etcher('a'), written.promise)
    return { register, written, first }
  }

  test('is refused to who comes later once it is taken', async () => {
    const { register, written, first } = beingTaken()
    const later = register(etcher('b', 5001), Promise.resolve())
    written.resolve()
    expect(await first).toBe('a')
    await expect(later).rejects.toMatchObject({ code: 'equipment_name_taken' })
  })

  test('goes to the next, and to no more than one, when it could not be put on disk', async () => {
    const { register, written, first } = beingTaken()
    const later = ['b', 'c'].map((id) => register(etcher(id), Promise.resolve()))
    written.reject(new Error('EIO: made up'))
    await expect(first).rejects.toThrow('EIO')
    const ends = await Promise.allSettled(later)
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })

  test('keeps nobody waiting who wants another', async () => {
    const { register, written, first } = beingTaken()
    expect(await register({ ...etcher('b'), name: 'coater' }, Promise.resolve())).toBe('b')
    written.resolve()
    await first
  })
})

describe('the port of a tap', () => {
  const made = (id: string, given: object): EquipmentRecord =>
    newEquipmentRecord(
      id,
      { name: id, ip_address: '192.0.2.5', port: 5000, ...given },
      '2026-01-01T00:00:00.000Z',
    )
  const tap = (listen_port: number) => ({ tap: { listen_port, host_address: '192.0.2.9' } })
  const dialling = (port: number, given: object = {}) => ({
    mode: 'active',
    ip_address: '192.0.2.7',
    port,
    ...given,
  })
  const tappedDialling = dialling(6000, { tap: { host_address: '192.0.2.9', host_port: 5000 } })

  test.each([
    ['another tap', tap(6000), tap(6000), true],
    ['a tap at another port', tap(6001), tap(6000), false],
    ['equipment that dials in there', dialling(6000), tap(6000), true],
    ['equipment that listens there itself', { port: 6000 }, tap(6000), false],
    ['tapped equipment that dials in there', tappedDialling, tap(6000), true],
    [
      'equipment that dials in where tapped equipment does',
      tappedDialling,
      dialling(6000, { ip_address: '192.0.2.8' }),
      true,
    ],
  ])('is compared with that of %s', async (_, before, wanted, isTaken) => {
    const claims = new EquipmentClaims(() => [made('etcher', before)])
    const hold = (reaches: boolean) =>
      claims.hold(
        made('coater', wanted),
        () => reaches,
        async () => 'registered',
      )
    if (!isTaken) return expect(await hold(true)).toBe('registered')
    await expect(hold(true)).rejects.toMatchObject({
      code: 'equipment_address_taken',
      message: expect.stringContaining('etcher'),
    })
    await expect(hold(false)).rejects.toMatchObject({ message: expect.not.stringContaining('etcher') })
  })
})

describe('equipment that a caller does not reach', () => {
  const made = (id: string, given: object): EquipmentRecord =>
    newEquipmentRecord(id, { name: id, ...given }, '2026-01-01T00:00:00.000Z')
  const tool = { ip_address: '192.0.2.5', port: 5000 }
  const asHost = (host_port: number) => ({
    ...{ mode: 'active', ip_address: '192.0.2.7', port: 6000 },
    tap: { host_address: '192.0.2.5', host_port },
  })

  test.each([
    ['is not reached as the host of a tap', tool, asHost(5000), true],
    ['at another port of the same machine is another one', tool, asHost(5001), false],
    ['is a host that a tap dials, and is no equipment', asHost(5000), tool, true],
    ['may have the same host', asHost(5000), { ...asHost(5000), port: 6001 }, false],
  ])('%s', async (_, before, wanted, isTaken) => {
    const registered = [made('etcher', before)]
    const claims = new EquipmentClaims(() => registered)
    const hold = (record: EquipmentRecord, reaches: boolean) =>
      claims.hold(
        record,
        () => reaches,
        async () => 'registered',
      )
    const coater = made('coater', wanted)
    expect(await hold(coater, true)).toBe('registered')
    if (!isTaken) return expect(await hold(coater, false)).toBe('registered')
    await expect(hold(coater, false)).rejects.toMatchObject({
      code: 'equipment_address_taken',
      message: expect.stringMatching(/^Other equipment is at 192\.0\.2\.5:5000/),
    })
    // One that is there already stays changeable.
    registered.push(coater)
    expect(await hold({ ...coater, name: 'other' }, false)).toBe('registered')
  })
})

describe('a serial port', () => {
  const at = (id: string, serial_port: string, created_at = '2026-01-01T00:00:00.000Z'): EquipmentRecord => ({
    ...newEquipmentRecord(id, { name: id, transport: 'secs1-serial', serial_port }, created_at),
  })
  const OTHER_PATH = '/dev/serial/by-id/usb-1'
  /** `there`: whether the adapter is plugged in. */
  function ports({ there = true } = {}) {
    const registered = [at('etcher', '/dev/ttyUSB0')]
    const world = { there }
    const deviceOf = async (path: string) => (world.there && path !== '/dev/ttyS1' ? 'device 1' : path)
    const claims = new EquipmentClaims(
      () => registered,
      (work) => work(),
      deviceOf,
    )
    const register = (record: EquipmentRecord, reaches?: () => boolean) =>
      claims.hold(record, reaches, async () => void registered.push(record))
    return { registered, claims, world, register }
  }

  test('is taken by whichever path it is named, and a refusal names only what the caller reaches', async () => {
    const { register } = ports()
    const refused = (detail: unknown) => ({ code: 'equipment_address_taken', message: detail })
    await expect(register(at('own', OTHER_PATH))).rejects.toMatchObject(
      refused(expect.stringContaining('etcher')),
    )
    for (const path of [OTHER_PATH, '/dev/ttyUSB0'])
      await expect(register(at('own', path), () => false)).rejects.toMatchObject(
        refused(expect.not.stringContaining('etcher')),
      )
    await register(at('own', '/dev/ttyS1'), () => false)
  })

  test('is taken once by paths of it that come at the same time', async () => {
    const { register, registered } = ports()
    registered.splice(0)
    const ends = await Promise.allSettled([register(at('a', '/dev/ttyUSB0')), register(at('b', OTHER_PATH))])
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })

  test('that was not there belongs to the equipment that was registered first', async () => {
    const { register, claims, world, registered } = ports({ there: false })
    const own = at('own', OTHER_PATH, '2026-01-02T00:00:00.000Z')
    await register(own, () => false)
    expect(await claims.earlierAtPort(own)).toBeUndefined()
    world.there = true
    expect(await claims.earlierAtPort(own)).toMatchObject({ id: 'etcher' })
    expect(await claims.earlierAtPort(at('etcher', '/dev/ttyUSB0'))).toBeUndefined()
    // What does not claim the port anew may still be changed.
    await claims.hold({ ...own, name: 'renamed' }, undefined, async () => {})
    expect(registered).toHaveLength(2)
  })

  test('equipment that moves to the port of other equipment comes after it, however early it was registered', async () => {
    const own = at('own', '/dev/ttyS1', '2020-01-01T00:00:00.000Z')
    const moved = changedRecord(own, { serial_port: OTHER_PATH }, '2026-01-02T00:00:00.000Z')
    const etcher = at('etcher', '/dev/ttyUSB0')
    const claims = new EquipmentClaims(
      () => [moved, etcher],
      (work) => work(),
      async () => 'device 1',
    )
    expect(await claims.earlierAtPort(moved)).toMatchObject({ id: 'etcher' })
    expect(await claims.earlierAtPort(etcher)).toBeUndefined()
  })
})

test('a device is known by any of its paths, and a path to nothing by itself', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-device-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const link = join(folder, 'by-id')
  symlinkSync('/dev/null', link)
  expect(await serialDevice(link)).toBe(await serialDevice('/dev/null'))
  expect(await serialDevice('/dev/../dev/null')).toBe(await serialDevice('/dev/null'))
  expect(await serialDevice('/dev/zero')).not.toBe(await serialDevice('/dev/null'))
  expect(await serialDevice(join(folder, 'gone'))).toBe(join(folder, 'gone'))
})
