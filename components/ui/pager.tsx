import { Button } from "./button.tsx";

/** Steps through a list that is shown newest first, part by part; nothing where one part holds all. */
export function Pager({
  label,
  page,
  pages,
  onPage,
}: {
  readonly label: string;
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}) {
  if (pages <= 1) return null;
  return (
    <nav aria-label={label} className="flex items-center gap-2 py-3 text-sm">
      <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Newer
      </Button>
      <span className="text-ink-2">
        page {page} of {pages}
      </span>
      <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Older
      </Button>
    </nav>
  );
}
