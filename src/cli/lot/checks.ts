import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import type { EquipmentCommand } from '../equipment/equipment-command.js'
import { Failure } from '../errors/failure.js'
import { portText } from '../ports/ports-verbs.js'
import { orMissing, portNumbered } from './look.js'
import type { LotPlan } from './lot-plan.js'
import type { LotSteps } from './lot-steps.js'

/** What has to be so before anything is sent for a lot. Throws `state` or `missing` for what is not. */
export async function check(
  on: EquipmentCommand,
  { id, name, enabled, tap, communication_state, control_state }: Equipment,
  plan: LotPlan,
  steps: LotSteps,
  checksRecipe: boolean,
): Promise<void> {
  if (communication_state !== 'COMMUNICATING')
    // A tap that is open waits for the host of the equipment.
    throw new Failure(
      'state',
      `${name} is ${communication_state}`,
      `secsctl equipment ${tap && enabled ? 'check' : 'connect'} ${name}`,
    )
  if (control_state !== 'ONLINE_REMOTE' && control_state !== 'UNKNOWN') {
    const online = control_state === 'ONLINE_LOCAL' ? undefined : `secsctl equipment online ${name}`
    throw new Failure('state', `${name} is ${control_state}, and not ONLINE_REMOTE`, online)
  }
  steps.done('check', `${name} is ${control_state === 'UNKNOWN' ? communication_state : control_state}`)
  await checkPort(on, id, plan, steps)
  if (checksRecipe) await checkRecipe(on, id, plan, steps)
}

async function checkPort(
  on: EquipmentCommand,
  id: string,
  { equipment, port }: LotPlan,
  steps: LotSteps,
): Promise<void> {
  const items = (await orMissing(on.ask(endpoints.listPorts, id)))?.items ?? []
  const found = portNumbered(items, port)
  if (found?.transfer === 'OUT_OF_SERVICE')
    throw new Failure(
      'state',
      `port ${port} is OUT_OF_SERVICE`,
      `secsctl ports in-service ${equipment} ${port}`,
    )
  if (found) return steps.done('check', `port ${port} is ${found.transfer ?? 'there'}`, { message: 'S14F1' })
  if (items.length === 0)
    return steps.note('check', `${equipment} gives no load ports: port ${port} is not checked`)
  const others = items.map((one) => portText(one)).join(', ')
  throw new Failure('missing', `${equipment} has no port ${port}: it has ${others}`)
}

async function checkRecipe(
  on: EquipmentCommand,
  id: string,
  { equipment, recipe }: LotPlan,
  steps: LotSteps,
): Promise<void> {
  const list = await on.ask(endpoints.listRecipes, id).catch((error: unknown) => {
    const { kind } = error as { readonly kind?: unknown }
    if (kind === 'equipment') return undefined
    throw error
  })
  if (!list) return steps.note('check', `${equipment} does not list its recipes: ${recipe} is not checked`)
  if (!list.items.some(({ ppid }) => ppid === recipe))
    throw new Failure(
      'missing',
      `${equipment} has no recipe ${recipe}; --no-recipe-check for one that is not in its list`,
      `secsctl recipes list ${equipment}`,
    )
  steps.done('check', `${recipe} is there`, { message: 'S7F19' })
}
