import type { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'

/** The range for limits of a variable, and its limits. */
export interface SurveyedLimits {
  readonly minimum: number
  readonly maximum: number
  readonly defined: readonly { readonly id: number; readonly upper: number; readonly lower: number }[]
}

/** The limits of every variable that can have any, by VID. Rejects where the equipment does not answer. */
export async function reportedLimits(
  client: GatewayClient,
  id: string,
): Promise<ReadonlyMap<string, SurveyedLimits>> {
  const { items } = await client.call(endpoints.listLimits, { params: { id }, query: {} })
  return new Map(
    items.flatMap(({ id: vid, minimum, maximum, limits }) => {
      const defined = (limits ?? []).map(({ limit_id, upper, lower }) => ({
        id: limit_id,
        upper: Number(upper),
        lower: Number(lower),
      }))
      const range = { minimum: Number(minimum ?? Number.NaN), maximum: Number(maximum ?? Number.NaN) }
      const isRange = Number.isFinite(range.minimum) && Number.isFinite(range.maximum)
      return isRange ? [[vid, { ...range, defined }] as const] : []
    }),
  )
}
