// Draws the picture of the memory from /graph.json. The list beside it has the same content, and works without this.
"use strict";
(async () => {
  const SMALL = 150;
  const MANY = 40;
  const LABEL_CHARACTERS = 70;
  const CLOSEST = 1.6;
  const picture = document.querySelector("[data-picture]");
  const canvas = picture.querySelector(".canvas");
  const told = picture.querySelector("[data-told]");
  const hint = told.textContent;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const dark = matchMedia("(prefers-color-scheme: dark)");

  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const short = (text) => (text.length > LABEL_CHARACTERS ? `${text.slice(0, LABEL_CHARACTERS - 1)}…` : text);

  // Where there are many memories, their words are read from near only.
  function style(memories) {
    const font = getComputedStyle(document.body).fontFamily;
    const levels = ["S0", "S1", "S2", "S3"].map((level) => ({
      selector: `node[level = "${level}"]`,
      style: { "background-color": color(level.toLowerCase()), "border-color": color(level.toLowerCase()) },
    }));
    return [
      { selector: "node", style: { label: "data(short)", color: color("ink"), "font-family": font, "text-outline-color": color("card"), "text-outline-width": 2, "border-width": 2 } },
      { selector: 'node[shape = "entity"]', style: { width: "data(size)", height: "data(size)", "font-size": 13, "font-weight": 600, "text-valign": "bottom", "text-margin-y": 4, "min-zoomed-font-size": 6 } },
      { selector: 'node[shape = "memory"]', style: { shape: "round-rectangle", width: 16, height: 16, "background-opacity": 0.25, "font-size": 9, "text-wrap": "wrap", "text-max-width": 130, "text-valign": "bottom", "text-margin-y": 3, "min-zoomed-font-size": memories > MANY ? 13 : 8 } },
      ...levels,
      { selector: "edge", style: { width: 1, "line-color": color("field"), "curve-style": "straight", opacity: 0.6 } },
      { selector: 'edge[shape = "relation"]', style: { width: 2.5, "line-color": color("accent"), "target-arrow-color": color("accent"), "target-arrow-shape": "triangle", "curve-style": "bezier", opacity: 1, label: "data(label)", "font-family": font, "font-size": 10, color: color("soft"), "text-background-color": color("card"), "text-background-opacity": 1, "text-background-padding": 2, "text-rotation": "autorotate", "min-zoomed-font-size": 8 } },
      { selector: ".pointed", style: { "border-width": 5, "border-color": color("focus"), "line-color": color("focus"), "target-arrow-color": color("focus"), "min-zoomed-font-size": 0, "z-index": 10 } },
    ];
  }

  const memories = (nodes) => nodes.filter((node) => node.shape === "memory").length;

  // Every picture of the same memory begins from the same places, so that it looks the same each time.
  function placed(nodes) {
    const step = Math.PI * (3 - Math.sqrt(5));
    return nodes.map((node, place) => {
      const size = node.shape === "entity" ? Math.min(22 + 4 * Math.sqrt(node.weight), 60) : 16;
      const away = 40 * Math.sqrt(place);
      const position = { x: away * Math.cos(place * step), y: away * Math.sin(place * step) };
      return { data: { ...node, size, short: short(node.label) }, position };
    });
  }

  // The whole picture, no larger than it reads well: two or three names are not blown up to fill the frame.
  function fit(cy) {
    cy.fit(undefined, 24);
    if (cy.zoom() > CLOSEST) cy.zoom(CLOSEST);
    cy.center();
  }

  function draw(graph) {
    const cy = cytoscape({
      container: canvas,
      elements: { nodes: placed(graph.nodes), edges: graph.edges.map((data) => ({ data })) },
      style: style(memories(graph.nodes)),
      minZoom: 0.1,
      maxZoom: 4,
      boxSelectionEnabled: false,
      autounselectify: true,
    });
    cy.layout({
      name: "cose",
      animate: false,
      randomize: false,
      nodeRepulsion: () => 12000,
      idealEdgeLength: () => 70,
      // A relation must have room for what it says.
      edgeElasticity: (edge) => (edge.data("label") ? 150 : 32),
      nodeOverlap: 12,
      componentSpacing: 60,
      numIter: graph.nodes.length > SMALL ? 400 : 1000,
      padding: 24,
    }).run();
    fit(cy);
    return cy;
  }

  function follow(cy) {
    const point = (element) => {
      cy.elements(".pointed").removeClass("pointed");
      if (element) element.addClass("pointed");
      told.textContent = element ? describe(cy, element) : hint;
    };
    cy.on("mouseover", "node, edge[path]", (event) => {
      canvas.style.cursor = "pointer";
      point(event.target);
    });
    cy.on("mouseout", "node, edge[path]", () => {
      canvas.style.cursor = "";
      point(null);
    });
    cy.on("tap", "node, edge[path]", (event) => location.assign(event.target.data("path")));
    for (const link of document.querySelectorAll("[data-node]")) {
      const element = cy.getElementById(link.dataset.node);
      if (element.empty()) continue;
      const show = () => point(element);
      const away = () => point(null);
      link.addEventListener("focus", () => {
        show();
        if (still.matches) cy.center(element);
        else cy.animate({ center: { eles: element }, duration: 200 });
      });
      link.addEventListener("mouseenter", show);
      link.addEventListener("blur", away);
      link.addEventListener("mouseleave", away);
    }
    for (const button of picture.querySelectorAll("[data-zoom]")) {
      button.addEventListener("click", () => {
        const factor = Number(button.dataset.zoom);
        if (!factor) fit(cy);
        else cy.zoom({ level: cy.zoom() * factor, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } });
      });
    }
    // The wheel scrolls the page, unless it is asked to zoom.
    canvas.addEventListener("wheel", (event) => event.ctrlKey || event.stopPropagation(), { capture: true });
    dark.addEventListener("change", () => cy.style(style(cy.nodes('[shape = "memory"]').length)));
  }

  function describe(cy, element) {
    if (!element.isEdge()) return element.data("label");
    return `${element.source().data("label")} ${element.data("label")} ${element.target().data("label")}`;
  }

  try {
    const answer = await fetch(picture.dataset.picture, { headers: { Accept: "application/json" } });
    if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
    const graph = await answer.json();
    picture.hidden = false;
    follow(draw(graph));
  } catch (fault) {
    picture.hidden = false;
    canvas.hidden = true;
    told.textContent = picture.dataset.broken;
    throw fault;
  }
})();
