import { existsSync } from 'node:fs'
import { BaseCommand, outputFlag } from '../base-command.js'
import { DEFAULT_PORT } from '../daemon/daemon-flags.js'
import { switchFlag } from '../input/flags.js'
import { verb } from '../verb.js'
import { DemoReport, runMainJob } from './demo.js'
import type { DemoProcess } from './demo-process.js'
import { runTapDemo } from './tap-demo.js'
import { gatewayWords, inTemporaryFolder, type TemporaryPlace } from './temporary-place.js'

/** What a person can do after the demo. */
const NEXT = `What next? Start a gateway that stays, and make an account for its web page:
  secsctl daemon start
  secsctl users add you@example.com --role admin
  http://127.0.0.1:${DEFAULT_PORT}/
In a clone, first: alias secsctl="node $PWD/bin/run.js"
A longer tour: docs/first-steps.md`

export const demoCommand = verb(BaseCommand, {
  summary: 'Show a complete use of secsctl on this machine.',
  description:
    'Starts a gateway and simulated equipment on free ports, with a temporary folder. They exchange S1F1, S2F41, S6F11 and S5F1 over HSMS. At the end both are stopped and the folder is removed. With --tap, the etcher has a host already: a second gateway, which runs a lot through the first one, while a client reads; the first one is stopped and started in between. Exit code 0 means that each step really happened.',
  examples: ['secsctl demo', 'secsctl demo --tap'],
  flags: {
    output: outputFlag(['json']),
    tap: switchFlag('Show a tap: a host and an etcher that work through a gateway.'),
  },
  async run(on, { flags }) {
    const started = on.clock.now()
    const isJson = on.format === 'json'
    const demoReport = new DemoReport((text) => void (isJson ? on.note(text) : on.write(text)))
    demoReport.say('The demo calls the REST API. Each step names the command that does the same.')
    const folder = await inTemporaryFolder(on, 'secsctl-demo-', async (place) => {
      await (flags.tap ? runTap : runDemo)(on, demoReport, place)
      return place.folder
    })
    const seconds = ((on.clock.now() - started) / 1000).toFixed(1)
    demoReport.check(!existsSync(folder), 'nothing is left over')
    demoReport.say(`\nAll ${demoReport.checks} checks held, in ${seconds} s.\n\n${NEXT}`)
    if (isJson) on.printJson({ checks: demoReport.checks, seconds: Number(seconds) })
  },
})

async function runDemo(on: BaseCommand, demoReport: DemoReport, place: TemporaryPlace): Promise<void> {
  demoReport.step(
    'Start a gateway and a simulated etcher',
    'secsctl daemon start; secsctl simulator run etcher',
  )
  const daemon = place.start('daemon', gatewayWords())
  const simulator = place.start('simulator', ['simulator', 'run', 'etcher', '--port', '0'])
  const [gatewayLine, listens] = await Promise.all([
    daemon.line(/^listening on /),
    simulator.line(/^listening on /),
  ])
  const url = gatewayLine.replace('listening on ', '')
  const port = Number(/:(\d+)$/.exec(listens)?.[1])
  demoReport.check(url.startsWith('http://127.0.0.1:'), `the gateway serves ${url}`)
  demoReport.check(port > 0, `the etcher listens for HSMS on port ${port}`)

  await runMainJob({ clock: on.clock, demoReport, url, ...place.admin, port })

  demoReport.step('Stop both', 'secsctl daemon stop')
  const codes = await Promise.all([daemon.stop(on.clock), simulator.stop(on.clock)])
  demoReport.check(codes[0] === 0, 'the gateway stopped in order')
}

const urlOf = async (daemon: DemoProcess): Promise<string> =>
  (await daemon.line(/^listening on /)).replace('listening on ', '')

async function runTap(on: BaseCommand, report: DemoReport, place: TemporaryPlace): Promise<void> {
  report.step(
    'Start a simulated etcher, its host, and a gateway',
    'secsctl simulator run etcher; secsctl daemon start',
  )
  const simulator = place.start('simulator', ['simulator', 'run', 'etcher', '--port', '0'])
  const host = place.start('host', gatewayWords(), 'host')
  let daemon = place.start('gateway', gatewayWords())
  const [listens, hostUrl, url] = await Promise.all([
    simulator.line(/^listening on /),
    urlOf(host),
    urlOf(daemon),
  ])
  const port = Number(/:(\d+)$/.exec(listens)?.[1])
  report.check(port > 0, `the etcher listens for HSMS on port ${port}`)
  report.check(hostUrl !== url, 'its host is a gateway of its own, which knows nothing of the tap')
  const { clock } = on
  await runTapDemo({
    clock,
    report,
    port,
    gateway: { ...place.admin, url },
    host: { ...place.admin, url: hostUrl },
    async stop() {
      report.check((await daemon.stop(clock)) === 0, 'the gateway stopped in order')
    },
    async start() {
      daemon = place.start('gateway', gatewayWords())
      return { ...place.admin, url: await urlOf(daemon) }
    },
  })
  await Promise.all([daemon, host, simulator].map((one) => one.stop(clock)))
}
