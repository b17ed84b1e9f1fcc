import { A, BOOLEAN, L, U1, U2, U4 } from 'secs4js'
import { expect, test } from 'vitest'
import type { PlainBody } from '../support/plain-client.js'
import { until } from '../support/until.js'
import { type ForeignTool, foreignTools } from './foreign-tool.js'

const connect = foreignTools()

/** A tool with a mapping: `states` is what S16F20 says of its jobs. */
async function withJobs(states: Map<string, number>, mapping: object = {}) {
  const tool = await connect({
    S16F19: () => L(...[...states].map(([job, state]) => L(A(job), U1(state)))),
    S1F11: L(L(U4(91), A('PRJobState'), A('')), L(U4(92), A('JobTrouble'), A(''))),
    S1F21: L(),
    S1F23: L(L(U4(7), A('Started'), L())),
  })
  await tool.put('/gem300', mapping)
  const jobs = async (): Promise<PlainBody[]> =>
    (await tool.get('/gem300/objects?kind=job')).items as PlainBody[]
  const job = (id: string, state: string): Promise<PlainBody> =>
    until(async () =>
      (await jobs()).find(({ object_id, states }) => object_id === id && states.state?.state === state),
    )
  return { tool, jobs, job }
}

const alert = (job: string, milestone: number, done = true, ...errors: [number, string][]) =>
  L(
    A('2026112904150000'),
    A(job),
    U1(milestone),
    L(BOOLEAN(done), L(...errors.map(([code, text]) => L(U4(code), A(text))))),
  )

const tell = (tool: ForeignTool, fn: number, body: ReturnType<typeof L>) => tool.peer.request(16, fn, body)

/** What the events say of a job, oldest first. */
async function toldOf(tool: ForeignTool, job: string): Promise<PlainBody[]> {
  const events: PlainBody[] = await tool.list('/events')
  return events.filter(({ name, data }) => name === 'job_state' && data.object_id === job).reverse()
}

test('S16F7 tells the states of a job, never back, and what is wrong with it', async () => {
  const states = new Map([['PJ-8', 0]])
  const { tool, job } = await withJobs(states)
  await job('PJ-8', 'QUEUED_POOLED')
  states.set('PJ-8', 3)
  await tell(tool, 7, alert('PJ-8', 2))
  await job('PJ-8', 'PROCESSING')
  await tell(tool, 7, alert('PJ-8', 1))
  states.set('PJ-8', 4)
  await tell(tool, 7, alert('PJ-8', 3))
  await job('PJ-8', 'PROCESS_COMPLETE')
  const told = await toldOf(tool, 'PJ-8')
  expect(told.map(({ data }) => data.to)).toEqual(['QUEUED_POOLED', 'PROCESSING', 'PROCESS_COMPLETE'])
  expect(told[1]?.data.source).toBe('event')
})

test('where events tell the states of jobs, an alert tells what is wrong alone: it may overtake them', async () => {
  const states = new Map([['PJ-8', 3]])
  const { tool, jobs, job } = await withJobs(states, {
    events: [{ event: 7, state: 'job.state', to: 'SETTING_UP', object: 'other' }],
  })
  await job('PJ-8', 'PROCESSING')
  await tell(tool, 7, alert('PJ-8', 3))
  await tell(tool, 7, alert('PJ-8', 4, false, [25, 'chuck 2 lost its wafer'], [64, 'see panel']))
  const found = await until(async () =>
    (await jobs()).find(({ object_id, details }) => object_id === 'PJ-8' && details.error),
  )
  expect(found.details.error).toMatch(/25.*chuck 2 lost its wafer.*64.*see panel/)
  expect(found.states.state).toMatchObject({ state: 'PROCESSING', source: 'query' })
  expect((await toldOf(tool, 'PJ-8')).map(({ data }) => data.to)).toEqual(['PROCESSING', 'PROCESSING'])
})

test('an alert that does not say the state has the equipment asked, where no events tell it', async () => {
  const states = new Map([['PJ-1', 3]])
  const { tool, job } = await withJobs(states)
  await tell(tool, 7, alert('PJ-1', 2))
  await job('PJ-1', 'PROCESSING')
  states.set('PJ-1', 11)
  await tell(tool, 7, alert('PJ-1', 4, false, [25, 'aborted at the panel']))
  const ended = await job('PJ-1', 'ABORTED')
  expect(ended.details.error).toContain('aborted at the panel')
  expect(ended.states.state).toMatchObject({ source: 'query' })
})

test('S16F9 tells the state by its variables, and without them has the equipment asked', async () => {
  const states = new Map([['PJ-1', 3]])
  const variables = { job: { state: 'PRJobState', error: 'JobTrouble' } }
  const { tool, job } = await withJobs(states, { variables })
  const event = (...values: [number, ReturnType<typeof A> | ReturnType<typeof U1>][]) =>
    L(U2(2), A('2026112904150000'), A('PJ-1'), L(...values.map(([vid, value]) => L(U4(vid), value))))
  await tell(tool, 9, event([91, U1(6)]))
  expect((await job('PJ-1', 'PAUSING')).states.state).toMatchObject({ source: 'event' })
  await tell(tool, 9, event([91, U1(9)], [92, A('gas is off')]))
  expect((await job('PJ-1', 'ABORTING')).details).toMatchObject({ error: 'gas is off' })
  states.set('PJ-1', 11)
  await tell(tool, 9, event())
  expect((await job('PJ-1', 'ABORTED')).states.state).toMatchObject({ source: 'query' })
})
