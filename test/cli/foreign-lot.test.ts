import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type LotSite, lotSites } from '../foreign/lot-tool-site.js'
import { scratchFolders } from '../store/scratch-folder.js'
import { runCommand } from '../support/command.js'
import { until } from '../support/until.js'

// The whole way of a lot with equipment that somebody else could have built, over an HSMS that is not ours.

const site = lotSites()
const folder = scratchFolders()

async function secsctl({ variables }: LotSite, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runCommand(args, { variables })
  expect(exitCode, `${args.slice(0, 3).join(' ')}: ${stderr}`).toBe(0)
  return stdout
}

/** The mapping from its own names, completed with what the file before it says, and the reports. */
async function map(eq: LotSite, before: string): Promise<void> {
  const at = folder()
  mkdirSync(at, { recursive: true })
  const [mapping, reports] = [join(at, 'mapping.yaml'), join(at, 'reports.yaml')]
  await until(async () => (await eq.call('GET', '/collection-events?known=true')).items.length > 0)
  writeFileSync(mapping, before + (await secsctl(eq, 'gem300', 'map', eq.name, '--propose')))
  await secsctl(eq, 'gem300', 'map', eq.name, '-f', mapping)
  writeFileSync(reports, await secsctl(eq, 'gem300', 'map', eq.name, '--reports'))
  await secsctl(eq, 'reports', 'apply', eq.name, reports)
}

/** What is so at the tool when a lot of 25 wafers is over. */
function isOver({ tool }: LotSite, carrier: string, recipe: string): void {
  expect(tool.port.transfer).toBe(3)
  expect(tool.carrier).toMatchObject({ id: carrier, idStatus: 2, slotMapStatus: 2, accessing: 2 })
  expect([...tool.jobs.values()]).toMatchObject([{ state: 4, recipe, carrier }])
  expect([...tool.controls.values()]).toMatchObject([{ state: 5, end: 'control 10' }])
  const wafers = [...tool.substrates.values()]
  expect(wafers.filter(({ transport, processing }) => transport === 2 && processing === 2)).toHaveLength(25)
  expect(tool.peer.errors).toEqual([])
}

const asked = (eq: LotSite, message: string): number =>
  eq.tool.peer.received.filter((one) => `S${one.stream}F${one.function}` === message).length

const run = (eq: LotSite, recipe: string, ...more: string[]) =>
  secsctl(eq, 'run', eq.name, '--port', '1', '--recipe', recipe, '--slots', '1-25', ...more)

test('run leads a lot without a mapping, and with one by events', async () => {
  const eq = await site({ make: 0 })
  await eq.tool.load('LOT.A')
  await run(eq, 'OX 200/b')
  isOver(eq, 'LOT.A', 'OX 200/b')
  await eq.tool.take()

  await map(eq, '')
  await eq.tool.load('LOT.B')
  const told = await run(eq, 'NIT-11', '--job', 'P2', '--control-job', 'C2')
  isOver(eq, 'LOT.B', 'NIT-11')
  // Of each state the gateway may learn by a question first.
  expect(told).toMatch(/(P2|C2) is \w+\tS6F11/)
  expect(await secsctl(eq, 'jobs', 'list', eq.name)).toMatch(/P2\s+PROCESS_COMPLETE/)
  expect(await secsctl(eq, 'ports', 'list', eq.name)).toMatch(/READY_TO_UNLOAD/)
})

test('run does what a tool wants otherwise as the mapping says it', async () => {
  const eq = await site({ make: 1 })
  await map(
    eq,
    `settings:
  { job: executing_5, substrate: one_based, substrate_processing: one_based, slots: present,
    create_specifier: ControlJob, job_creation: S16F11, attributes_with_slot_map: [ContentMap] }
`,
  )
  await eq.tool.load('LOT.B')
  const content = Array.from({ length: 25 }, (_, at) => ['--content', `L1/W${at + 1}`]).flat()
  const told = await run(eq, 'NIT-11', '--release-after', '1s', ...content)
  isOver(eq, 'LOT.B', 'NIT-11')
  expect(told).toMatch(/is \w+\tS6F11/)
  expect(eq.tool.carrier?.content).toHaveLength(25)
  expect([asked(eq, 'S16F11'), asked(eq, 'S16F15'), asked(eq, 'S14F9')]).toEqual([1, 0, 1])
})

test('run creates no job while another carrier than the one meant is at the port', async () => {
  const eq = await site({ make: 0 })
  await eq.tool.load('NOT.MEANT')
  const args = ['--port', '1', '--recipe', 'NIT-11', '--slots', '2,4', '--carrier', 'LOT.C', '--jobs-first']
  const { exitCode, stderr } = await runCommand(['run', eq.name, ...args], {
    variables: eq.variables,
  })
  expect(exitCode).toBe(5)
  expect(stderr).toMatch(/NOT\.MEANT.*LOT\.C/)
  expect([asked(eq, 'S16F15'), asked(eq, 'S14F9'), asked(eq, 'S3F17')]).toEqual([0, 0, 0])
})
