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

/** The largest body that holds a recipe, in bytes: 16 MiB are 21.4 in Base64. */
const RECIPE_BODY_LIMIT = 24 * 1024 * 1024

const RECIPE_ERRORS = [...TRANSACTION_ERRORS, 'recipe_not_found'] as const

/** What an equipment is set up with: its event reports, its recipes, its traces. */
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
        'What the gateway keeps; nothing is asked of the equipment, from which GEM cannot read definitions back.',
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
      'S2F37 disables, S2F33 deletes and defines, S2F35 links, S2F37 enables, after everything was checked that can be checked here. Where a step is refused or fails, the gateway applies again what it last applied, and says so; a refusal is a 200 with `applied` false. What was applied is kept, and applied again by itself when the equipment comes back without it.',
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
        'S2F37 disables and S2F33 deletes: everything, or after `others` was `keep`, what the gateway applied. The gateway forgets its definition once the equipment has accepted.',
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
      description: 'S7F19. All on one page.',
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
      description: 'S7F5, or S7F25 for its formatted form. `recipe_not_found` where the answer is empty.',
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
        'S7F1 asks for leave and S7F3 sends the bytes; S7F23 sends commands. Give one of `body` and `formatted`. A refusal is a 200 with `accepted` false.',
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
      description: 'S7F17. A refusal is a 200 with `accepted` false.',
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
      description: 'The remote command PP-SELECT (S2F41). A refusal is a 200 with `accepted` false.',
    },
  ),

  listTraces: endpoint(
    'GET /equipment/{id}/traces',
    'traces',
    'List the traces that the gateway had started',
    Page(Trace),
    {
      params: ById,
      access: 'viewer',
      errors: ['equipment_not_found'],
      description:
        'Those that callers of the gateway started since it runs, and that are not over. All on one page.',
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
      'S2F23. The samples come as S6F1: messages, and events of the type `message`. A trace with the TRID of one that runs takes its place. A refusal is a 200 with `accepted` false.',
  }),
  endTrace: endpoint('DELETE /equipment/{id}/traces/{trid}', 'traces', 'End a trace', TraceEnded, {
    params: ByTrace,
    query: SendQuery,
    access: 'engineer',
    idempotent: true,
    errors: TRANSACTION_ERRORS,
    description: 'S2F23 with TOTSMP 0. A refusal is a 200 with `accepted` false.',
  }),
} as const
