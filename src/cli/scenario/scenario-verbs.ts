import { HSMS_CHECKS, numbered } from '../../probe/hsms-checks/checks.js'
import type { Step } from '../../scenario/file/read-scenario.js'
import { EDITOR_SCHEMA } from '../../scenario/file/schema.js'
import { SHIPPED_SCENARIOS, shippedScenario } from '../../scenario/shipped-scenarios.js'
import { BaseCommand, outputFlag } from '../base-command.js'
import { Failure } from '../errors/failure.js'
import { required } from '../input/arguments.js'
import { CATALOGUE_FLAG } from '../messages/catalogue-flag.js'
import { verb } from '../verb.js'
import { catalogueAt, SET_FLAG, scenarioNamed, variablesGiven } from './scenario-file.js'

const SCENARIO = required('A scenario that comes with secsctl, or a file.')

/** How many steps do something. */
const countOf = (steps: readonly Step[]): number =>
  steps.reduce((sum, { steps: inner }) => sum + (inner.length > 0 ? countOf(inner) : 1), 0)

/** The checks of HSMS are code, and no file: they need connections of their own. */
const HSMS_TITLE = 'HSMS interface (conform HOST:PORT --only hsms)'

/** The checks of HSMS as a list: they are read, and cannot be run as a scenario. */
async function showHsms(on: BaseCommand): Promise<void> {
  // With the numbers of a report of conform.
  const checks = numbered('1').map(({ number, group, title, rule }) => ({
    number,
    group,
    check: title,
    rule,
  }))
  if (on.format === 'json') return on.printJson({ scenario: 'hsms', checks })
  const { yamlText } = await import('../output/yaml-output.js')
  const text = `# ${HSMS_TITLE}: these checks are code, and no file that can be run as a scenario.\n${yamlText({ checks })}`
  on.environment.stdout.isTTY ? on.print(text) : on.printAsIs(text)
}

export const scenarioList = verb(BaseCommand, {
  summary: 'List the scenarios that come with secsctl.',
  examples: ['secsctl scenario list'],
  async run(on) {
    const rows = SHIPPED_SCENARIOS.map((name) => {
      const { steps, name: title } = scenarioNamed(name)
      return { name, steps: countOf(steps), title }
    })
    rows.push({ name: 'hsms', steps: HSMS_CHECKS.length, title: HSMS_TITLE })
    await on.printList(
      rows,
      [
        { title: 'NAME', text: ({ name }) => name },
        { title: 'STEPS', text: ({ steps }) => String(steps) },
        { title: 'TITLE', text: ({ title }) => title },
      ],
      'there are none',
    )
  },
})

export const scenarioShow = verb(BaseCommand, {
  summary: 'Print the file of a scenario, as a starting point for your own.',
  description:
    'The checks of `hsms` are code, and no file: of them it prints the numbers, sentences, and the rules of SEMI E37, E37.1 and E5 that they are from.',
  examples: ['secsctl scenario show gem > acceptance.yaml', 'secsctl scenario show hsms'],
  args: { scenario: required('A scenario that comes with secsctl.') },
  flags: { output: outputFlag(['yaml', 'json']) },
  async run(on, { args }) {
    if (args.scenario === 'hsms') return showHsms(on)
    const text = shippedScenario(args.scenario)
    if (text === undefined)
      throw new Failure(
        'missing',
        `there is no scenario "${args.scenario}": ${[...SHIPPED_SCENARIOS, 'hsms'].join(', ')}`,
      )
    if (on.format === 'json') on.printJson({ scenario: args.scenario, text })
    else on.environment.stdout.isTTY ? on.print(text) : on.printAsIs(text)
  },
})

export const scenarioCheck = verb(BaseCommand, {
  summary: 'Check the file of a scenario and the files that it uses. Offline.',
  description:
    'Each mistake is named with its line and column, also what could never pass: a message that only the host sends, an item that a message does not have, an ALID that is no number. Messages of a site come from --catalogue, or from the daemon on this machine if it runs with one. Exit code 2 if there is a mistake.',
  examples: [
    'secsctl scenario check acceptance.yaml',
    'secsctl scenario check acceptance.yaml --set lot=L17',
  ],
  args: { scenario: SCENARIO },
  flags: { set: SET_FLAG, catalogue: CATALOGUE_FLAG },
  async run(on, { args, flags }) {
    const catalogue = await catalogueAt(on, flags.catalogue)
    const { name, steps } = scenarioNamed(args.scenario, variablesGiven(flags.set), catalogue)
    const count = countOf(steps)
    if (on.format === 'json') return on.printJson({ name, steps: count })
    on.printRecord({}, [
      ['scenario', name],
      ['steps', String(count)],
    ])
  },
})

export const scenarioSchema = verb(BaseCommand, {
  summary: 'Print the JSON Schema of scenario files, for editors.',
  examples: ['secsctl scenario schema > scenario.schema.json'],
  flags: { output: outputFlag(['json']) },
  async run(on) {
    on.printAsIs(JSON.stringify(EDITOR_SCHEMA, undefined, 2))
  },
})
