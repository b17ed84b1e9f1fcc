import { describe, expect, test } from 'vitest'
import { EquipmentClaims } from '../../../src/gateway/records/equipment-claims.js'
import { type EquipmentRecord, newEquipmentRecord } from '../../../src/gateway/records/equipment-record.js'
import { deferred } from '../../../src/kit/deferred.js'

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
