import { endpoints } from '../../contract/endpoints.js'
import type { Trace } from '../../contract/topics/traces.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGE_FLAGS, TARGET_FLAGS } from '../equipment/equipment-targets.js'
import { required } from '../input/arguments.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import { TRANSACTION_FLAGS } from '../messages/transaction-flags.js'
import type { Column } from '../output/output.js'

export const tracesList = equipmentVerb({
  summary: 'List the traces that were started through the gateway and that are not over.',
  description:
    'Lists traces that were started through the gateway since its start; GEM has no question for the traces of equipment.',
  examples: ['secsctl traces list etcher'],
  flags: { ...LIST_OUTPUT_FLAGS, ...TARGET_FLAGS },
  async one(on, { args }) {
    const { items } = await on.ask(endpoints.listTraces, args.equipment)
    const columns: readonly Column<Trace>[] = [
      { title: 'TRID', text: ({ trid }) => trid },
      { title: 'VARIABLES', text: ({ variables }) => variables.map(({ id, name }) => name || id).join(' ') },
      { title: 'PERIOD', text: ({ period_seconds }) => `${period_seconds} s` },
      { title: 'SAMPLES', text: ({ received, samples }) => `${received}/${samples}` },
      {
        title: 'STARTED',
        text: ({ started_at }) => on.formatTime(started_at),
        key: ({ started_at }) => started_at,
      },
    ]
    await on.printList(items, columns, 'No traces.')
  },
})

export const tracesEnd = equipmentVerb({
  summary: 'End a trace in an equipment (S2F23); exit code 8 when it refuses.',
  examples: ['secsctl traces end etcher 1'],
  args: { trace: required('TRID.') },
  flags: { ...TRANSACTION_FLAGS, ...CHANGE_FLAGS },
  words: { '/trid': 'TRACE', '/TRID': 'TRACE' },
  async one(on, { args, flags }) {
    const result = await on.ask(endpoints.endTrace, args.equipment, flags, { params: { trid: args.trace } })
    on.printVerdict('TIAACK', result, [['trace', result.trid]])
  },
})
