export {
  exportAnnotationsRoute as GET,
  importAnnotationsRoute as POST,
} from "#lib/server/http/routes/annotations.ts";
