import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Message } from '../../src/contract/topics/messages.js'
import { lineOf, Secsctl } from '../support/secsctl.js'

const secsctl = new Secsctl()
const simulator = secsctl.start(['simulator', 'run', 'etcher', '--port', '0', '--quiet'])
const run = (...args: string[]) => secsctl.run(args)
const json = async (...args: string[]): Promise<unknown> => {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

beforeAll(async () => {
  const [where] = await Promise.all([
    lineOf(simulator, /^listening on /),
    run('daemon', 'start', '--port', '0'),
  ])
  await run('equipment', 'add', 'etcher', '--address', where.replace('listening on ', ''))
})
afterAll(async () => {
  simulator.kill()
  await run('daemon', 'stop')
  secsctl.remove()
})

/** The main job as a person types it, one command after the other. */
describe.sequential('from the command line', () => {
  test('equipment connects, and each change is told while it is waited for', async () => {
    const { code, stdout, stderr } = await run('equipment', 'connect', 'etcher')
    expect(code).toBe(0)
    expect(stdout).toContain('\tSELECTED\tCOMMUNICATING\t')
    expect(stderr).toContain('etcher: selected  NOT_SELECTED -> SELECTED')
  })

  test('a message is answered', async () => {
    expect((await run('send', 'etch', 'S1F1')).stdout).toContain('<A "ETCHER">')
  })

  test('a command runs, and is refused while it runs', async () => {
    expect(await json('command', 'etcher', 'START', 'LOTID=L1', 'PPID=OXIDE-ETCH-01')).toMatchObject({
      accepted: true,
    })
    expect(await run('command', 'etcher', 'START')).toMatchObject({ code: 8 })
  })

  test('its alarm is waited for, listed, and acknowledged', async () => {
    const set = (await json(
      'events',
      'wait',
      '--name',
      'alarm_set',
      '--since',
      '1h',
      '--timeout',
      '10s',
    )) as { id: string }
    expect(await json('alarms', 'list', '--unacknowledged')).toMatchObject([{ id: set.id, alid: '4001' }])
    expect(await json('alarms', 'ack', set.id, '-m', 'seen')).toMatchObject([
      { acknowledged: true, comment: 'seen' },
    ])
    expect(await json('alarms', 'list', '--unacknowledged')).toEqual([])
  })

  test('its collection event is among the messages', async () => {
    const reports = (await json('messages', 'list', '--message', 'S6F11')) as Message[]
    expect(reports.map(({ collection_event }) => collection_event?.ceid)).toContain('3010')
    expect((await run('events', 'tail', '--since', '1h', '--count', '2', '-o', 'sml')).stdout).toContain(
      'S1F13 W',
    )
  })

  test('its collection event is waited for by name or CEID, and an unknown name is refused', async () => {
    const wait = ['events', 'wait', '--equipment', 'etcher', '--since', '1h', '--collection-event']
    expect(await run(...wait, 'Nonsense')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('secsctl reports list'),
    })
    for (const wanted of ['ProcessingStarted', '3010'])
      expect(await json(...wait, wanted)).toMatchObject({ data: { collection_event: { ceid: '3010' } } })
  })

  test('tail ends with 7 when nothing comes, and with 130 at Ctrl-C', async () => {
    expect(await run('events', 'tail', '--type', 'connection', '--idle-timeout', '200ms')).toMatchObject({
      code: 7,
    })
    const tail = secsctl.start(['events', 'tail', '--since', '1h', '--json'])
    await lineOf(tail, /"selected"/)
    tail.kill('SIGINT')
    expect(await new Promise((resolve) => tail.once('close', resolve))).toBe(130)
  })

  test('it disconnects, and is removed', async () => {
    expect(await json('equipment', 'disconnect', 'etcher')).toMatchObject([
      { connection_state: 'NOT_CONNECTED' },
    ])
    expect(await run('send', 'etcher', 'S1F1')).toMatchObject({ code: 5, stdout: '' })
    expect(await run('equipment', 'remove', 'etcher', '--yes')).toMatchObject({ code: 0 })
    expect(await json('equipment', 'list')).toEqual([])
  })
})
