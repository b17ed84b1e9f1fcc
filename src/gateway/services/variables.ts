import { Problem } from '../../contract/errors.js'
import type { Page } from '../../contract/schema.js'
import type { NamedValue } from '../../contract/values.js'
import type { ValueQuery, Variable, VariableQuery } from '../../contract/variables.js'
import { unpadded } from '../../gem/content.js'
import { onePage, valuesOf } from './answered-values.js'
import type { Asking, AskOptions } from './asking.js'
import { givenId } from './given-id.js'
import type { Naming } from './naming.js'
import type { Variables } from './services.js'

/** Status variables and data variables: their names (S1F11, S1F21) and values (S1F3). */
export class GemVariables implements Variables {
  constructor(
    private readonly asking: Asking,
    private readonly naming: Naming,
  ) {}

  async list(
    equipmentId: string,
    { kind = 'status', known, ...options }: VariableQuery,
  ): Promise<Page<Variable>> {
    if (known) return onePage(this.#known(equipmentId, kind))
    return onePage(
      kind === 'status' ? await this.#status(equipmentId, options) : await this.#data(equipmentId, options),
    )
  }

  async read(equipmentId: string, { id: given = [], ...options }: ValueQuery): Promise<Page<NamedValue>> {
    const ids =
      given.length > 0
        ? await this.naming.idsOf(equipmentId, 'variables', given, options)
        : (await this.#status(equipmentId, options)).map(({ id }) => id)
    this.#refuseData(equipmentId, ids)
    if (ids.length === 0) return onePage([])
    const SVID = ids.map(givenId)
    const answer = await this.asking.ask(equipmentId, 'S1F3', { SVID }, options)
    const { variables } = this.naming.of(equipmentId)
    return onePage(valuesOf(this.asking, equipmentId, { message: 'S1F3', ids, known: variables, answer }))
  }

  #known(equipmentId: string, wanted: Variable['kind']): Variable[] {
    this.asking.nameOf(equipmentId)
    const { variables } = this.naming.of(equipmentId)
    return [...variables].flatMap(([id, known]) => (known.kind === wanted ? [{ id, ...known }] : []))
  }

  async #status(equipmentId: string, options: AskOptions): Promise<Variable[]> {
    const { content } = await this.asking.ask(equipmentId, 'S1F11', {}, options)
    return content.ROWS.map(({ SVID, SVNAME, UNITS }) => ({
      id: String(SVID),
      name: unpadded(SVNAME),
      unit: unpadded(UNITS),
      kind: 'status' as const,
    }))
  }

  async #data(equipmentId: string, options: AskOptions): Promise<Variable[]> {
    const { content } = await this.asking.ask(equipmentId, 'S1F21', {}, options)
    return content.ROWS.map(({ VID, DVVALNAME, UNITS }) => ({
      id: String(VID),
      name: unpadded(DVVALNAME),
      unit: unpadded(UNITS),
      kind: 'data' as const,
    }))
  }

  /** Rejects data variables: they have a value only within a report (SEMI E30). */
  #refuseData(equipmentId: string, ids: readonly string[]): void {
    const { variables } = this.naming.of(equipmentId)
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
}
