import type { ReadValue } from '../../catalogue/structure/structure-data.js'
import { Problem } from '../../contract/errors.js'
import { onePage } from '../../contract/schema.js'
import type { Variable, variableEndpoints } from '../../contract/topics/variables.js'
import { unpadded } from '../../gem/content.js'
import { argumentWord } from '../../kit/shell-word.js'
import type { Handlers } from '../handler.js'
import type { Asking, AskOptions } from './asking.js'
import { givenId } from './given-id.js'
import type { Naming } from './naming.js'
import { valuesOf } from './replied-values.js'
import { isUnknownMessage } from './unknown-message.js'

/** Status variables and data variables: their names (S1F11, S1F21) and values (S1F3). */
export const variableHandlers: Handlers<typeof variableEndpoints> = {
  async listVariables({ params: { id }, query }, { asking, naming }) {
    const { kind = 'status', known, ...options } = query
    if (known) {
      asking.nameOf(id)
      const { variables } = naming.of(id)
      return onePage([...variables].flatMap(([vid, one]) => (one.kind === kind ? [{ id: vid, ...one }] : [])))
    }
    return onePage(await (kind === 'status' ? statusVariables : dataVariables)(id, options, asking))
  },

  async listVariableHistory({ params: { id }, query }, { equipment, history }) {
    await equipment.get(id)
    return history.list(id, query)
  },

  async readVariables({ params: { id }, query: { id: given = [], ...options } }, { asking, naming }) {
    const ids =
      given.length > 0
        ? await naming.idsOf(id, 'variables', given, options).catch(pointToOldForm(id, asking))
        : (await statusVariables(id, options, asking).catch(pointToOldForm(id, asking))).map(
            (variable) => variable.id,
          )
    refuseData(id, ids, naming)
    if (ids.length === 0) return onePage([])
    const reply = await asking
      .ask(id, 'S1F3', { SVID: ids.map(givenId) }, options)
      .catch(pointToOldForm(id, asking))
    const { variables: known } = naming.of(id)
    return onePage(valuesOf(asking, id, { message: 'S1F3', ids, known, reply }))
  },
}

/** Unknown stream, and function (SEMI E5). */
const UNKNOWN: readonly (string | undefined)[] = ['S9F3', 'S9F5']

/**
 * Equipment older than GEM knows S1F5 alone. It is not asked instead: what a form code (SFCD) stands for, and whose values
 * are in the reply and in which order, is in the manual of the equipment alone, and S1F6 names no variable.
 */
const pointToOldForm =
  (id: string, asking: Asking) =>
  (error: unknown): never => {
    if (!(error instanceof Problem) || !isUnknownMessage(error) || asking.refusesOnline(id)) throw error
    const { code, message, extra } = error
    // An abort with a next step is of equipment that may be offline.
    if (code === 'equipment_error' ? !UNKNOWN.includes(extra.s9) : extra.next !== undefined) throw error
    const line = `secsctl send ${argumentWord(asking.nameOf(id))} S1F5 SFCD=1`
    throw new Problem(
      code,
      `${message} Where it is older than GEM, it may know S1F5, whose form codes and order of values are in its manual: ${line}`,
      extra,
    )
  }

async function statusVariables(id: string, options: AskOptions, asking: Asking): Promise<Variable[]> {
  const { content } = await asking.ask(id, 'S1F11', {}, options)
  return content.ROWS.map(({ SVID, SVNAME, UNITS }) => variable('status', SVID, SVNAME, UNITS))
}

async function dataVariables(id: string, options: AskOptions, asking: Asking): Promise<Variable[]> {
  const { content } = await asking.ask(id, 'S1F21', {}, options)
  return content.ROWS.map(({ VID, DVVALNAME, UNITS }) => variable('data', VID, DVVALNAME, UNITS))
}

const variable = (kind: Variable['kind'], id: ReadValue, name: ReadValue, unit: ReadValue): Variable => ({
  id: String(id),
  name: unpadded(name),
  unit: unpadded(unit),
  kind,
})

/** Rejects data variables: they have a value only within a report (SEMI E30). */
function refuseData(equipmentId: string, ids: readonly string[], naming: Naming): void {
  const { variables } = naming.of(equipmentId)
  const errors = ids.flatMap((id, at) => {
    const known = variables.get(id)
    if (known?.kind !== 'data') return []
    const detail = `${known.name || id} (VID ${id}) is a data variable, which has a value within reports alone`
    return [{ pointer: `id/${at}`, detail }]
  })
  if (errors.length === 0) return
  const detail = errors.map(({ detail }) => detail).join('; ')
  throw new Problem('invalid_message', `${detail}. Ask for the reports of an event that has it.`, {
    errors,
    next: [{ operation: 'requestEventReport', parameters: { id: equipmentId } }],
  })
}
