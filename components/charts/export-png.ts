const STYLES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "opacity",
  "font-size",
  "font-weight",
  "font-family",
  "text-anchor",
  "visibility",
  "display",
] as const;

function inlined(original: SVGSVGElement): SVGSVGElement {
  const copy = original.cloneNode(true) as SVGSVGElement;
  const from = [original, ...original.querySelectorAll<SVGElement>("*")];
  const to = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  from.forEach((element, index) => {
    const target = to[index];
    if (!target) return;
    const style = getComputedStyle(element);
    for (const name of STYLES) target.style.setProperty(name, style.getPropertyValue(name));
    target.removeAttribute("class");
  });
  return copy;
}

/**
 * Paints all SVG drawings inside `frame` at their places into one PNG at twice the size, with the caption above. The
 * picture has the theme that the page has.
 */
export async function exportPng(frame: HTMLElement, caption: string): Promise<Blob> {
  const box = frame.getBoundingClientRect();
  const head = 24;
  const [width, height] = [Math.ceil(box.width), Math.ceil(box.height) + head];
  const sheet = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  sheet.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  sheet.setAttribute("width", String(width));
  sheet.setAttribute("height", String(height));
  for (const svg of frame.querySelectorAll("svg")) {
    const place = svg.getBoundingClientRect();
    const copy = inlined(svg);
    copy.setAttribute("x", String(place.left - box.left));
    copy.setAttribute("y", String(place.top - box.top + head));
    copy.setAttribute("overflow", "visible");
    sheet.append(copy);
  }
  const page = getComputedStyle(document.documentElement);
  const url = URL.createObjectURL(
    new Blob([new XMLSerializer().serializeToString(sheet)], { type: "image/svg+xml;charset=utf-8" }),
  );
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width * 2, height * 2];
    const paper = canvas.getContext("2d");
    if (!paper) throw new Error("This browser gives no canvas.");
    paper.scale(2, 2);
    paper.fillStyle = page.backgroundColor;
    paper.fillRect(0, 0, width, height);
    paper.fillStyle = getComputedStyle(document.body).color;
    paper.font = `600 12px ${getComputedStyle(document.body).fontFamily}`;
    paper.fillText(caption, 4, 16, width - 8);
    paper.drawImage(image, 0, 0);
    return await new Promise<Blob>((done, fail) =>
      canvas.toBlob(
        (blob) => (blob ? done(blob) : fail(new Error("The picture is too large."))),
        "image/png",
      ),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}
