import { siteOf } from '../../scenario/run/site.js'
import { GatewayCommand } from '../gateway-command.js'
import { EQUIPMENT_ARGUMENT, required } from '../input/arguments.js'
import { switchFlag, textFlag } from '../input/flags.js'
import { CATALOGUE_FLAG } from '../messages/catalogue-flag.js'
import { verb } from '../verb.js'
import { REPORT_FLAGS, runAndReport } from './run-and-report.js'
import { catalogueAt, partGiven, SET_FLAG, scenarioNamed, variablesGiven } from './scenario-file.js'

export const scenarioRun = verb(GatewayCommand, {
  summary: 'Run a scenario against equipment: a test of its interface that can be repeated.',
  description:
    'The equipment has to be connected. A step passes, fails (the equipment did not do what is expected) or is inconclusive (a precondition was not met, the operator said no, the link or the gateway was lost). After a step that does not pass, the other steps of its group are skipped, and the next group runs. Exit code 0: all passed. 8: one failed. 7: none failed, and one is inconclusive, also after Ctrl-C. 2: the file is wrong, and nothing was sent. 4: your role does not allow a step; `send`, `load` and `on` need the role engineer, `command` and `link` operator.',
  examples: [
    'secsctl scenario run gem etcher',
    'secsctl scenario run lot.yaml etcher --set lot=L17 --html lot.html',
    'secsctl scenario run gem etcher --junit gem.xml --json',
    'secsctl scenario run lot.yaml etcher --from 3 --until 4.2',
  ],
  args: {
    scenario: required('A scenario that comes with secsctl, or a file.'),
    equipment: EQUIPMENT_ARGUMENT,
  },
  flags: {
    set: SET_FLAG,
    catalogue: CATALOGUE_FLAG,
    ...REPORT_FLAGS,
    step: switchFlag('Ask before each step.'),
    from: textFlag('NUMBER', 'Begin with this step, such as 3 or 4.2; those before it are skipped.'),
    until: textFlag('NUMBER', 'End with this step.'),
  },
  async run(on, { args, flags }) {
    const given = variablesGiven(flags.set)
    const { url } = await on.session.target()
    const scenario = scenarioNamed(args.scenario, given, await catalogueAt(on, flags.catalogue, url))
    const part = partGiven(scenario, flags)
    const { id, name } = await on.equipment(args.equipment)
    const site = siteOf(await on.client(), id, on.clock, on.environment.interruption.hold())
    await runAndReport(on, { scenario, name, site, part }, flags)
  },
})
