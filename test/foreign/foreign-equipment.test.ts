import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { DEFAULT_HSMS_TIMERS } from '../../src/hsms/settings.js'
import { systemClock } from '../../src/kit/clock.js'
import { A, B, L, U1, U4 } from '../../src/secs2/item.js'
import { LocalTap } from '../../src/tap/tcp/local-tap.js'
import { HostSession } from '../simulator/host-session.js'
import { type RemoteEquipment, startForeignEquipment } from '../support/foreign-peer.js'
import { LOOPBACK } from '../support/tcp.js'
import { until } from '../support/until.js'

/** A tap in front of equipment at this port; gives its own. */
async function tapBefore(port: number): Promise<number> {
  const listen = { host: LOOPBACK, port: 0 }
  const dial = { host: LOOPBACK, port }
  const tap = new LocalTap({ caller: 'host', listen, callerAddress: LOOPBACK, dial, pause: 0 }, systemClock)
  onTestFinished(() => tap.stop())
  await tap.start()
  return tap.counts.listening ?? 0
}

/** What both of our sides could misread together, a peer that somebody else wrote does not. */
describe.each(['passive', 'active', 'passive, behind a tap'] as const)(
  'a host of ours with a foreign equipment that is %s',
  (role) => {
    const deviceId = 17
    let session: HostSession
    let equipment: RemoteEquipment

    beforeEach(async () => {
      if (role !== 'active') {
        equipment = await startForeignEquipment({ deviceId })
        const port = role === 'passive' ? equipment.port : await tapBefore(equipment.port)
        session = new HostSession({ role: 'active', port, deviceId })
        await session.start()
      } else {
        session = new HostSession({ role: 'passive', port: 0, deviceId })
        await session.start()
        equipment = await startForeignEquipment({ role, deviceId, port: session.driver.boundPort ?? 0 })
      }
      await until(() => session.host.communicationState === 'COMMUNICATING')
    })

    afterEach(async () => {
      await session.stop()
      await equipment.stop()
      expect(equipment.peer.errors).toEqual([])
    })

    test('selects and establishes communication, and reads what it is', () => {
      expect(session.driver.state).toBe('SELECTED')
      expect(session.host.model).toEqual({ mdln: 'FOREIGN', softrev: '4.7' })
      expect(equipment.received).toMatchObject([{ stream: 1, function: 13, wait: true }])
    })

    test('S1F13 from its side is answered with COMMACK 0', async () => {
      const answer = await equipment.establish()
      expect(answer).toMatchObject({ stream: 1, function: 14, wait: false })
      expect(answer.sml).toMatch(/<L.*<B.*0x00>.*<L.*>/)
      expect(session.host.communicationState).toBe('COMMUNICATING')
    })

    test('S1F1 is answered with what it is', async () => {
      await expect(session.request({ stream: 1, function: 1, item: undefined })).resolves.toEqual({
        kind: 'replied',
        item: L(A('FOREIGN'), A('4.7')),
      })
    })

    test('S2F41 reaches it as it was meant, and its HCACK comes back', async () => {
      const command = (name: string) =>
        session.request({ stream: 2, function: 41, item: L(A(name), L(L(A('LOTID'), A('LOT-9')))) })
      await expect(command('START')).resolves.toEqual({ kind: 'replied', item: L(B(0), L()) })
      await expect(command('DANCE')).resolves.toEqual({ kind: 'replied', item: L(B(1), L()) })
      expect(equipment.received.at(-2)?.sml).toMatch(/"START".*"LOTID".*"LOT-9"/)
    })

    test('S5F1 is read as it was meant and acknowledged', async () => {
      const answer = await equipment.sendAlarm()
      expect(answer).toMatchObject({ stream: 5, function: 2, sml: expect.stringContaining('0x00') })
      expect(session.received.at(-1)?.item).toEqual(L(B(0x84), U4(7), A('Foreign alarm')))
    })

    test('S6F11 is read as it was meant and acknowledged', async () => {
      const answer = await equipment.sendEvent()
      expect(answer).toMatchObject({ stream: 6, function: 12, sml: expect.stringContaining('0x00') })
      expect(session.received.at(-1)?.item).toEqual(L(U4(1), U4(42), L(L(U4(1), L(A('LOT-1'), U1(3))))))
    })

    test('what it does not know it aborts, and that is no reply', async () => {
      await expect(session.request({ stream: 7, function: 19, item: undefined })).resolves.toEqual({
        kind: 'aborted',
      })
    })

    test('its Linktest is answered', async () => {
      await expect(equipment.peer.linktest()).resolves.toBeUndefined()
    })

    test('its Separate ends the connection and communication with it', async () => {
      const faults: string[] = []
      session.driver.changed.on(({ fault }) => fault && faults.push(fault.code))
      await equipment.peer.separate()
      await until(() => session.host.communicationState !== 'COMMUNICATING')
      expect(faults).toEqual(['separated'])
    })

    test('it takes our Separate for the end', async () => {
      await session.stop()
      await until(() => !equipment.peer.selected)
    })
  },
)

test('our Linktest is answered by a foreign equipment, as often as it is due', async () => {
  const equipment = await startForeignEquipment()
  const timers = { ...DEFAULT_HSMS_TIMERS, linktest: 20 }
  const session = new HostSession({ role: 'active', port: equipment.port, timers })
  await session.start()
  await until(() => session.host.communicationState === 'COMMUNICATING')
  const left: string[] = []
  session.driver.changed.on(({ to }) => left.push(to))
  // Each but the last was answered: there is never more than one that is not.
  await until(() => equipment.peer.linktests >= 5)
  expect(left).toEqual([])
  await session.stop()
  await equipment.stop()
})
