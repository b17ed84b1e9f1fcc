import { useSignal } from '@preact/signals'
import type { Equipment } from '../../../contract/equipment.js'
import type { Live } from '../../gateway/live.js'
import { may } from '../../shell/session.js'
import { texts } from '../../texts.js'
import type { Action } from './action.js'
import { ActionDialog } from './action-dialog.js'
import { ACTIONS, isLockedByOther } from './actions.js'

const words = texts.actions
/** What a lock of somebody else does not refuse. */
const FREE: readonly Action['name'][] = ['read', 'unlock']

/** What the person may do to the equipment now. Nothing for those who only read. */
export function ActionPanel({ live, equipment }: { readonly live: Live; readonly equipment: Equipment }) {
  const asked = useSignal<Action | undefined>(undefined)
  const offered = ACTIONS.filter(
    ({ role, isOffered = () => true }) => (role === 'anyone' || may(role)) && isOffered(equipment),
  )
  if (offered.length === 0) return null
  const { tap } = equipment
  const isHostsAlone = tap !== null && !tap.writes
  return (
    <section class="panel" aria-labelledby="actions-heading">
      <div class="panel-head">
        <h2 id="actions-heading">{words.heading}</h2>
        {equipment.lock && <span>{words.lockedBy(equipment.lock.by, equipment.lock.reason)}</span>}
      </div>
      <div class="actions">
        {offered.map((action) => (
          <button
            key={action.name}
            type="button"
            disabled={
              live.isStale.value ||
              (isLockedByOther(equipment) && !FREE.includes(action.name)) ||
              (isHostsAlone && action.isWriting)
            }
            aria-describedby={isHostsAlone && action.isWriting ? 'tapped-note' : undefined}
            onClick={() => {
              asked.value = action
            }}
          >
            {words.names[action.name]}
          </button>
        ))}
      </div>
      {isHostsAlone && offered.some(({ isWriting }) => isWriting) && (
        <p id="tapped-note" class="muted">
          {words.tapped(tap.host_address)}
        </p>
      )}
      {asked.value && (
        <ActionDialog
          key={asked.value.name}
          live={live}
          equipment={equipment}
          action={asked.value}
          close={() => {
            asked.value = undefined
          }}
        />
      )}
    </section>
  )
}
