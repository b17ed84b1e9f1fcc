import { useSignal } from '@preact/signals'
import { carrierEndpoints } from '../../../contract/topics/gem300/carriers.js'
import { controlJobEndpoints } from '../../../contract/topics/gem300/control-jobs.js'
import { gem300Endpoints, type KnownObject } from '../../../contract/topics/gem300/mapping.js'
import type { Live } from '../../gateway/live.js'
import type { SlotContent } from './slots.js'

const NONE = { items: [] }

/** What no event says, and the equipment has said when it was asked: what is in slots, and the jobs of control jobs. */
export interface Contents {
  readonly of: (carrier: KnownObject) => readonly SlotContent[]
  readonly processJobsOf: (controlJob: KnownObject) => readonly string[]
}

/**
 * Asks the equipment: only when somebody wants it. The gateway records the states, whose events come by themselves. What an
 * object has become since under the same ID is not known from before.
 */
export function useContents(live: Live, id: string) {
  const contents = useSignal<Contents | undefined>(undefined)
  const problem = useSignal('')
  const isAsking = useSignal(false)
  const ask = async (): Promise<void> => {
    if (isAsking.peek()) return
    isAsking.value = true
    problem.value = ''
    try {
      const params = { id }
      const { aligned_at } = await live.calls.call(gem300Endpoints.alignGem300, { params })
      // Equipment without such objects: the note of the alignment says so.
      const carriers = await live.calls.call(carrierEndpoints.listCarriers, { params }).catch(() => NONE)
      const jobs = await live.calls.call(controlJobEndpoints.listControlJobs, { params }).catch(() => NONE)
      const slots = new Map(carriers.items.map((one) => [one.carrier_id, one.slots]))
      const processJobs = new Map(jobs.items.map((one) => [one.job_id, one.process_jobs]))
      const isSame = ({ since }: KnownObject): boolean => since <= (aligned_at ?? '')
      contents.value = {
        of: (carrier) => (isSame(carrier) && slots.get(carrier.object_id)) || [],
        processJobsOf: (job) => (isSame(job) && processJobs.get(job.object_id)) || [],
      }
    } catch (error) {
      problem.value = (error as Error).message
    } finally {
      isAsking.value = false
    }
  }
  return { contents: contents.value, problem: problem.value, isAsking: isAsking.value, ask }
}
