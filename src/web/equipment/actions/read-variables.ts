import type { Preview } from '../../../contract/topics/preview.js'
import { type Variable, variableEndpoints } from '../../../contract/topics/variables.js'
import { texts } from '../../texts.js'
import { type Act, type Action, communicates, given, type Typed } from './action.js'

const words = texts.actions

/** Those that the gateway has the names of; for equipment that it knows none of, it asks the equipment. */
async function variablesOf({ calls, equipment }: Act): Promise<readonly Variable[]> {
  const list = async (query: { readonly known?: true }): Promise<readonly Variable[]> =>
    (await calls.call(variableEndpoints.listVariables, { params: { id: equipment.id }, query })).items
  const known = await list({ known: true })
  return known.length > 0 ? known : list({})
}

/** The SVIDs of names or SVIDs with commas between; a name can have a comma itself. Throws for a name of none or of several. */
function idsIn(text: string, variables: readonly Variable[]): readonly string[] {
  const isOne = variables.some(({ name }) => name === text.trim())
  const parts = isOne ? [text.trim()] : text.split(',').map((one) => one.trim())
  return parts.filter(Boolean).map((part) => {
    if (/^\d+$/.test(part) || variables.some(({ id }) => id === part)) return part
    const [found, other] = variables.filter(({ name }) => name === part)
    if (!found || other) throw new RangeError(found ? words.severalVariables(part) : words.noVariable(part))
    return found.id
  })
}

const idsOf = async (act: Act, { variables = '' }: Typed): Promise<readonly string[]> =>
  variables.trim() === '' ? [] : idsIn(variables, await variablesOf(act))

const values = (ids: readonly string[]): Preview => ({
  message: {
    stream: 1,
    function: 3,
    data: { SVID: ids.map((id) => (/^\d+$/.test(id) ? id : { A: id })) },
  },
})

export const READ_VARIABLES: Action = {
  name: 'read',
  // A viewer may call it, and is offered no action.
  role: 'operator',
  isOffered: communicates,
  fields: [
    {
      name: 'variables',
      isOptional: true,
      known: async (act) => (await variablesOf(act)).map(({ id, name }) => name || id),
    },
  ],
  preview: async (typed, act) => {
    const ids = await idsOf(act, typed)
    if (ids.length > 0) return { messages: [values(ids)] }
    const known = await variablesOf(act)
    const namelist = { message: { stream: 1, function: 11, data: { SVID: [] } } }
    return {
      messages: [namelist, ...(known.length > 0 ? [values(known.map(({ id }) => id))] : [])],
      note: words.readsList,
    }
  },
  run: async (act, typed) => {
    const id = [...(await idsOf(act, typed))]
    const { params } = given(act)
    const { items } = await act.calls.call(variableEndpoints.readVariables, { params, query: { id } })
    const detail = items.map(({ id: svid, name, text, unit }) =>
      `${name ?? svid ?? ''}  ${text} ${unit ?? ''}`.trim(),
    )
    return { isGood: true, text: words.values(items.length), detail: detail.join('\n'), values: items }
  },
}
