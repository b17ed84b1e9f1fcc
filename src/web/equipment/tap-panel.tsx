import type { Equipment } from '../../contract/equipment.js'
import { tapEndpoints } from '../../contract/topics/equipment/tap-report.js'
import { messageEndpoints } from '../../contract/topics/messages.js'
import { type TapSeen, tapFindings, tapVerdict, unknownReports } from '../../inspection/tap-check.js'
import type { Live } from '../gateway/live.js'
import { useReadAgain } from '../parts/use-read-again.js'
import { texts } from '../texts.js'

const words = texts.equipment
/** Events whose reports are looked at: the newest. */
const EVENTS = 50

/** What `equipment tap-check` looks at. */
function useTap(live: Live, { id, tap_link }: Equipment) {
  return useReadAgain(id, [live, tap_link?.state], async (signal): Promise<Omit<TapSeen, 'equipment'>> => {
    const query = { equipment_id: [id], stream: 6, function: 11, limit: EVENTS }
    const [report, { items }] = await Promise.all([
      live.calls.call(tapEndpoints.getTap, { params: { id } }, signal),
      live.calls.call(messageEndpoints.listMessages, { query }, signal),
    ])
    return { report, unknownReports: unknownReports(items) }
  })
}

/** Whether host and equipment see through the tap what they saw without it, and what to do where they do not. */
export function TapPanel({ live, equipment }: { readonly live: Live; readonly equipment: Equipment }) {
  const { value: seen, problem } = useTap(live, equipment)
  const findings = seen && tapFindings({ equipment, ...seen })
  return (
    <section class="panel" aria-labelledby="tap-heading">
      <div class="panel-head">
        <h2 id="tap-heading">{words.tapChecks}</h2>
      </div>
      {problem && !findings && <p class="problem">{texts.failed(problem)}</p>}
      {findings && (
        <>
          <p>{tapVerdict(findings)}</p>
          <table class="count-table tap-checks">
            <tbody>
              {findings.map(({ name, mark, detail, mend }) => (
                <tr key={name} class={mark === 'wrong' ? 'is-fault' : ''}>
                  <th scope="row">{name}</th>
                  <td>{words.marks[mark]}</td>
                  <td>
                    {detail}
                    {mend && <code>{mend}</code>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  )
}
