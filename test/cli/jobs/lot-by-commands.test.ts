import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ToolSite } from '../../support/tool-site.js'
import { until } from '../../support/until.js'

const TOPICS = ['jobs', 'control-jobs', 'carriers', 'ports', 'objects']
const COMMANDS = TOPICS.flatMap((topic) =>
  readdirSync(fileURLToPath(new URL(`../../../commands/${topic}`, import.meta.url))).map(
    (file) => `${topic} ${file.replace('.ts', '')}`,
  ),
)

/** Commands to a tool; the help of each has to name the messages that it sends. */
class Operator {
  readonly ran = new Set<string>()
  readonly #help = new Map<string, string>()

  constructor(readonly site: ToolSite) {}

  /** Runs a command about the tool, which has to end with this code. What it prints. */
  async run(line: string, code = 0): Promise<string> {
    const [topic = '', verb = '', ...words] = line.split(' ')
    const command = `${topic} ${verb}`
    const before = (await this.#sent())[0]?.id ?? 0
    const { stdout, stderr, exitCode } = await this.site.run(topic, verb, 'etcher', ...words)
    expect([line, exitCode, exitCode === code ? '' : stderr]).toEqual([line, code, ''])
    const names = (await this.#sent()).filter(({ id }) => id > before).map(({ name }) => name)
    const help = this.#help.get(command) ?? (await this.site.run(topic, verb, '--help')).stdout
    this.#help.set(command, help)
    for (const name of names) expect(`${command}: ${help}`).toMatch(new RegExp(`\\b${name}\\b`))
    expect([command, names.length]).not.toEqual([command, 0])
    this.ran.add(command)
    return stdout + stderr
  }

  async #sent(): Promise<{ id: number; name: string }[]> {
    const { body } = await this.site.client.get('/messages?direction=sent&limit=1000')
    return body.items.flatMap((one: { id: string; stream: number; function: number }) =>
      one.function % 2 === 1 && [3, 14, 16].includes(one.stream)
        ? [{ id: Number(one.id), name: `S${one.stream}F${one.function}` }]
        : [],
    )
  }
}

test('A lot runs from arrival to departure by commands, and each command says which message it sends', async () => {
  const site = await ToolSite.open('start: manual', 'release: host')
  const operator = new Operator(site)
  const run = (line: string, code?: number) => operator.run(line, code)

  expect(await run('ports list')).toContain('1\tREADY_TO_LOAD\tMANUAL')
  await run('ports out-of-service 2')
  await run('ports in-service 2 --style in_service_4')
  await run('ports reserve 2')
  await run('ports cancel-reservation 2')
  await run('ports access-mode auto all')
  expect(await run('ports reserve 9', 8)).toContain('PTN 9 invalid')
  await run('carriers bind FOUP7 --port 1')
  await run('carriers cancel-bind FOUP7 --port 1')
  await run('carriers notify FOUP7')
  await run('carriers cancel-notification FOUP7')

  site.tool.load(
    1,
    'FOUP7',
    Array.from({ length: 25 }, () => 'CORRECTLY_OCCUPIED' as const),
  )
  await until(() => site.tool.ports.carriers.get('FOUP7')?.idStatus.state === 'WAITING_FOR_HOST')
  expect(await run('carriers list')).toContain('FOUP7\tLP1\tWAITING_FOR_HOST')
  await run('carriers proceed FOUP7 --port 1')
  await until(() => site.tool.ports.carriers.get('FOUP7')?.slotMapStatus.state === 'WAITING_FOR_HOST')
  expect((await run('carriers show FOUP7')).match(/CORRECTLY_OCCUPIED/g)).toHaveLength(25)
  await run('carriers proceed FOUP7 --port 1')
  expect(await run('carriers proceed FOUP7 --port 1', 8)).toContain('is not waiting for host')

  expect(await run('jobs list --space')).toContain('8 more jobs')
  await run('jobs create PJ-1 --recipe OXIDE-ETCH-01 --carrier FOUP7')
  expect(await run('jobs create PJ-1 --recipe OXIDE-ETCH-01 --carrier FOUP7', 8)).toContain('exists already')
  expect(await run('jobs create PJ-9 --recipe NONE --carrier FOUP7 --with S16F11', 8)).toContain('NONE')
  await run('control-jobs create CJ-1 PJ-1 --carrier FOUP7')
  await run('control-jobs wait CJ-1 --for waiting-for-start --timeout 120s --interval 100ms')
  await run('control-jobs start CJ-1')
  await run('jobs wait PJ-1 --for waiting-for-start --timeout 120s --interval 100ms')
  await run('jobs pause PJ-1')
  await run('jobs resume PJ-1')
  await run('control-jobs pause CJ-1')
  await run('control-jobs resume CJ-1')
  expect(await run('control-jobs list')).toContain('CJ-1\tEXECUTING\tPJ-1\tFOUP7')
  expect(await run('control-jobs show CJ-1')).toContain('StartMethod')
  expect(await run('jobs show PJ-1')).toContain('OXIDE-ETCH-01')

  // Others in the queue, which are taken back.
  for (const [job, end] of [
    ['2', 'cancel CJ-2 --jobs remove --yes'],
    ['3', 'stop CJ-3 --jobs keep --yes'],
    ['4', 'abort CJ-4 --jobs keep --yes'],
  ]) {
    await run(`jobs create PJ-${job} --recipe POLY-ETCH-02 --carrier FOUP7:1-3`)
    await run(`control-jobs create CJ-${job} PJ-${job}`)
    await run(`control-jobs first CJ-${job}`)
    await run(`control-jobs ${end}`)
  }
  await run('jobs dequeue PJ-3 --yes')
  await run('jobs cancel PJ-4 --yes')
  expect(await run('control-jobs deselect CJ-1', 8)).toContain('not valid')
  expect(await run('jobs abort PJ-9 --yes', 8)).toContain('PJ-9 not found')
  expect(await run('jobs stop PJ-9 --yes', 8)).toContain('PJ-9 not found')

  await run('jobs start PJ-1')
  await run('jobs wait PJ-1 --timeout 120s --interval 100ms')
  await run('control-jobs wait CJ-1 --timeout 120s --interval 100ms')
  expect(await run('objects types')).toContain('Substrate')
  expect(await run('objects get Substrate --filter SubstProcState!=2')).not.toContain('FOUP7')
  expect(await run('objects get Substrate --attribute SubstLocID --filter SubstProcState=2')).toContain(
    'FOUP7',
  )
  await run('objects set Carrier FOUP7 Usage=TEST')
  expect(await run('objects create Substrate ObjID=W1 --specifier Equipment', 8)).toContain('created')
  expect(await run('objects delete ControlJob:CJ-9 --yes', 8)).toContain('CJ-9 not found')
  expect(await run('carriers cancel FOUP7 --yes', 8)).toContain('already accessed')
  await run('carriers release FOUP7 --port 1')
  expect(await run('ports list')).toContain('1\tREADY_TO_UNLOAD')
  site.tool.unload(1)
  expect(await run('carriers list')).toContain('No carriers')
  expect([...operator.ran].sort()).toEqual([...COMMANDS].sort())
})
