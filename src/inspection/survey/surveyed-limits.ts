import type { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import { idIn, within } from './surveyed-reports.js'

/** The range for limits of a variable, and its limits. */
export interface SurveyedLimits {
  readonly minimum: number
  readonly maximum: number
  readonly defined: readonly { readonly id: number; readonly upper: number; readonly lower: number }[]
}

/** The limits of every variable that can have any (S2F47), by VID. Rejects where the equipment does not answer. */
export async function reportedLimits(
  client: GatewayClient,
  id: string,
): Promise<ReadonlyMap<string, SurveyedLimits>> {
  const body = { stream: 2, function: 47, data: { VID: [] } }
  const { reply } = await client.call(endpoints.sendMessage, { params: { id }, query: {}, body })
  const limits = new Map<string, SurveyedLimits>()
  for (const row of within(reply?.body)) {
    const [vid, attributes] = within(row)
    const [, minimum, maximum, defined] = within(attributes)
    const found = {
      minimum: Number(idIn(minimum)),
      maximum: Number(idIn(maximum)),
      defined: within(defined).map((limit) => {
        const [number, upper, lower] = within(limit).map(idIn)
        return { id: Number(number), upper: Number(upper), lower: Number(lower) }
      }),
    }
    if (Number.isFinite(found.minimum) && Number.isFinite(found.maximum)) limits.set(idIn(vid), found)
  }
  return limits
}
