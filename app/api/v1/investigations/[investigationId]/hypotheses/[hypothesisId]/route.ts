export {
  removeHypothesisRoute as DELETE,
  changeHypothesisRoute as PATCH,
} from "#lib/server/http/routes/investigations.ts";
