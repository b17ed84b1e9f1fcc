import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Alarm } from '../../contract/topics/alarms.js'
import { systemClock } from '../../kit/clock.js'
import type { Live } from '../gateway/live.js'
import { may } from '../shell/session.js'
import { AcknowledgeDialog } from './acknowledge-dialog.js'

/** Milliseconds for which the page says what an acknowledgement did. */
const RESULT_MS = 8000

/** Sets the selection of some alarms; undefined for those who may not acknowledge. */
export type Select = ((ids: readonly string[], isOn: boolean) => void) | undefined

/** Which of the alarms shown are selected, and the dialog that acknowledges some of them. */
export function useSelection(live: Live, shown: readonly Alarm[]) {
  const selected = useSignal<ReadonlySet<string>>(new Set())
  const asked = useSignal<readonly Alarm[]>([])
  const result = useSignal('')
  useEffect(() => {
    if (result.value === '') return
    return systemClock.at(systemClock.now() + RESULT_MS, () => {
      result.value = ''
    })
  }, [result.value])
  const open = shown.filter(({ acknowledged }) => !acknowledged)
  // What somebody else has acknowledged meanwhile is no longer selected.
  const chosen = open.filter(({ id }) => selected.value.has(id))
  const select = (ids: readonly string[], isOn: boolean): void => {
    const next = new Set(chosen.map(({ id }) => id))
    for (const id of ids) {
      if (isOn) next.add(id)
      else next.delete(id)
    }
    selected.value = next
  }
  const close = (said: string | undefined): void => {
    asked.value = []
    if (said === undefined) return
    selected.value = new Set()
    result.value = said
  }
  return {
    open,
    chosen,
    select: may('operator') ? select : undefined,
    acknowledge: (alarms: readonly Alarm[]): void => {
      asked.value = alarms
    },
    /** What the last acknowledgement did. */
    result: result.value,
    dialog: asked.value.length > 0 && <AcknowledgeDialog live={live} alarms={asked.value} close={close} />,
  }
}
