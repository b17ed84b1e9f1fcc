import { afterAll, expect, test } from 'vitest'
import { PseudoTerminal } from '../../support/pseudo-terminal.js'
import { Secsctl } from '../../support/secsctl.js'
import { ToolSite } from '../../support/tool-site.js'
import { until } from '../../support/until.js'

const secsctl = new Secsctl()
afterAll(() => secsctl.remove())

test.each([
  ['leave', true, 'secsctl control-jobs stop etcher CJ-1'],
  ['stop', false, 'secsctl jobs wait etcher PJ-1'],
])('At a terminal Ctrl-C asks what becomes of the jobs: %s', async (answer, goesOn, said) => {
  // 25 substrates take longer than a busy machine needs for all of this.
  const site = await ToolSite.open('process_time: 3')
  site.tool.load(1, 'FOUP7')
  const env = secsctl.environment({
    TERM: 'xterm',
    LANG: 'C.UTF-8',
    SECSCTL_URL: site.client.url,
    SECSCTL_TOKEN: site.client.token ?? '',
  })
  const run = 'node bin/run.js run etcher --port 1 --recipe OXIDE-ETCH-01 --job PJ-1 --control-job CJ-1'
  const terminal = new PseudoTerminal(run, env)
  await until(() => site.tool.jobs.running !== undefined)
  terminal.type('\x03')
  await terminal.shows('Jobs of etcher: leave, stop')
  await terminal.shows(/\[\d+G$/)
  terminal.type(`${answer}\r`)
  expect(await terminal.ended()).toBe(130)
  expect(terminal.text.replace(/\r\n/g, ' ').replace(/\s+/g, ' ')).toContain(said)
  const job = site.tool.jobs.process.get('PJ-1')
  if (goesOn) expect(job?.state).toBe('PROCESSING')
  else await until(() => job?.state === 'STOPPED')
})
