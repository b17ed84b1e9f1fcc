import { CommandResult } from './commands.js'
import { endpoint } from './endpoint.js'
import { NAMED_ERRORS, TRANSACTION_ERRORS } from './errors.js'
import { SendQuery } from './messages.js'
import {
  ByRecipe,
  ListedRecipe,
  NewRecipe,
  Recipe,
  RecipeDeleted,
  RecipeQuery,
  RecipeSelection,
  RecipeStored,
  StoreQuery,
} from './recipes.js'
import { AppliedReports, ApplyQuery, ReportsResult, WantedReports } from './reports.js'
import { ById, Page } from './schema.js'
import { ByTrace, NewTrace, Trace, TraceEnded, TraceStarted } from './traces.js'

/** The largest body that holds a recipe, in bytes: 16 MiB are 21.4 MiB in Base64. */
const RECIPE_BODY_LIMIT = 24 * 1024 * 1024

const RECIPE_ERRORS = [...TRANSACTION_ERRORS, 'recipe_not_found'] as const

/** Setup of an equipment: event reports, recipes and traces. */
export const setupEndpoints = {
  getReports: endpoint(
    'GET /equipment/{id}/reports',
    'reports',
    'Read the event reports that the gateway applied',
    AppliedReports,
    {
      params: ById,
      access: 'viewer',
      errors: ['equipment_not_found'],
      description:
        'The definition that the gateway stores. Nothing is sent to the equipment, since GEM has no message to read report definitions back.',
    },
  ),
  applyReports: endpoint('PUT /equipment/{id}/reports', 'reports', 'Apply event reports', ReportsResult, {
    params: ById,
    query: ApplyQuery,
    body: WantedReports,
    access: 'engineer',
    idempotent: true,
    errors: TRANSACTION_ERRORS,
    description:
      'The gateway first validates the definition, and then sends S2F37 (disable), S2F33 (delete, define), S2F35 (link) and S2F37 (enable). If a step is refused or fails, the gateway restores the definition that it last applied and reports this in `went_back`; for a refusal the answer is 200 with `applied` false. The gateway stores the definition, and applies it again if the equipment has lost it after a reconnect (see `apply_again`).',
  }),
  clearReports: endpoint(
    'DELETE /equipment/{id}/reports',
    'reports',
    'Delete the event reports',
    ReportsResult,
    {
      params: ById,
      query: ApplyQuery,
      access: 'engineer',
      idempotent: true,
      errors: TRANSACTION_ERRORS,
      description:
        'Sends S2F37 (disable) and S2F33 (delete) for all reports, or, if the definition has `others` `keep`, only for what the gateway applied. After the equipment has accepted, the gateway deletes its stored definition.',
    },
  ),

  listRecipes: endpoint(
    'GET /equipment/{id}/recipes',
    'recipes',
    'List the recipes of the equipment',
    Page(ListedRecipe),
    {
      params: ById,
      query: SendQuery,
      access: 'viewer',
      errors: TRANSACTION_ERRORS,
      description: 'Sends S7F19. The answer has all recipes in one page.',
    },
  ),
  fetchRecipe: endpoint(
    'GET /equipment/{id}/recipes/{ppid}',
    'recipes',
    'Fetch a recipe from the equipment',
    Recipe,
    {
      params: ByRecipe,
      query: RecipeQuery,
      access: 'viewer',
      errors: RECIPE_ERRORS,
      description:
        'Sends S7F5, or S7F25 for the formatted form. The error is `recipe_not_found` if the reply of the equipment is empty.',
    },
  ),
  storeRecipe: endpoint(
    'PUT /equipment/{id}/recipes/{ppid}',
    'recipes',
    'Store a recipe in the equipment',
    RecipeStored,
    {
      params: ByRecipe,
      query: StoreQuery,
      body: NewRecipe,
      bodyLimit: RECIPE_BODY_LIMIT,
      access: 'engineer',
      idempotent: true,
      errors: TRANSACTION_ERRORS,
      description:
        'Give exactly one of `body` and `formatted`. For `body` the gateway sends S7F1 (process program load inquire) and S7F3; for `formatted` it sends S7F23. If the equipment refuses, the answer is 200 with `accepted` false.',
    },
  ),
  deleteRecipe: endpoint(
    'DELETE /equipment/{id}/recipes/{ppid}',
    'recipes',
    'Delete a recipe in the equipment',
    RecipeDeleted,
    {
      params: ByRecipe,
      query: SendQuery,
      access: 'engineer',
      idempotent: true,
      errors: TRANSACTION_ERRORS,
      description: 'Sends S7F17. If the equipment refuses, the answer is 200 with `accepted` false.',
    },
  ),
  selectRecipe: endpoint(
    'POST /equipment/{id}/recipes/{ppid}/select',
    'recipes',
    'Select a recipe for the next run',
    CommandResult,
    {
      params: ByRecipe,
      query: SendQuery,
      body: RecipeSelection,
      bodyOptional: true,
      access: 'operator',
      idempotent: true,
      errors: TRANSACTION_ERRORS,
      description:
        'Sends the remote command PP-SELECT (S2F41). If the equipment refuses, the answer is 200 with `accepted` false.',
    },
  ),

  listTraces: endpoint(
    'GET /equipment/{id}/traces',
    'traces',
    'List the traces that are running',
    Page(Trace),
    {
      params: ById,
      access: 'viewer',
      errors: ['equipment_not_found'],
      description:
        'Traces that were started through this gateway since it was started and that have not ended. The answer has all of them in one page.',
    },
  ),
  startTrace: endpoint('POST /equipment/{id}/traces', 'traces', 'Start a trace', TraceStarted, {
    params: ById,
    query: SendQuery,
    body: NewTrace,
    access: 'engineer',
    idempotent: true,
    errors: NAMED_ERRORS,
    description:
      'Sends S2F23. The equipment sends the samples in S6F1: find them in `/messages`, and in `/events` with the type `message`. A new trace with the TRID of a running trace replaces it. If the equipment refuses, the answer is 200 with `accepted` false.',
  }),
  endTrace: endpoint('DELETE /equipment/{id}/traces/{trid}', 'traces', 'End a trace', TraceEnded, {
    params: ByTrace,
    query: SendQuery,
    access: 'engineer',
    idempotent: true,
    errors: TRANSACTION_ERRORS,
    description:
      'Sends S2F23 with TOTSMP 0. If the equipment refuses, the answer is 200 with `accepted` false.',
  }),
} as const
